/* What every page may use. Nothing here is needed to read or to send a form. */

const seen = new Map();

/* data-poll="/now/" data-every="3": fetch the address again and again and put the answer in its place,
   while the page is looked at. The answer ends it with an element that has data-poll-end. */
async function poll(place) {
  const address = new URL(place.dataset.poll, location.href).href;
  if (!document.hidden) {
    try {
      const answer = await fetch(address, { headers: { "X-Requested-With": "fetch" } });
      const text = answer.ok ? await answer.text() : undefined;
      if (text !== undefined && text !== seen.get(place)) {
        seen.set(place, text);
        place.innerHTML = text;
      }
    } catch {
      /* the next round tries again */
    }
  }
  if (!place.querySelector("[data-poll-end]")) later(place);
}

function later(place) {
  setTimeout(() => poll(place), 1000 * Number(place.dataset.every));
}

document.querySelectorAll("[data-poll]").forEach(later);

/* data-reload="3": the whole page again, while there is something to wait for. */
const waiting = document.querySelector("[data-reload]");
if (waiting) {
  setInterval(() => document.hidden || location.reload(), 1000 * Number(waiting.dataset.reload));
}

/* Tab puts four spaces into the field where a bot is written; Escape lets go of it. */
for (const field of document.querySelectorAll("textarea")) {
  let caught = true;
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") caught = false;
    if (event.key !== "Tab" || event.shiftKey || !caught) return;
    event.preventDefault();
    field.setRangeText("    ", field.selectionStart, field.selectionEnd, "end");
  });
  field.addEventListener("blur", () => (caught = true));
}
