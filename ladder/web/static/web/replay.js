/* The replay without reloading: keys, play, scrubber. The server draws each step; we swap it in. */

const PACE_MS = 900;
const dock = document.getElementById("dock");
const scrub = document.getElementById("scrub");
const play = document.getElementById("play");
const view = document.getElementById("view");
const drawn = new Map();
let wanted = stage().dataset.step | 0;
let timer = 0;

function stage() {
  return document.getElementById("stage");
}

function total() {
  return Number(stage().dataset.total);
}

function address(step, part) {
  const query = new URLSearchParams(location.search);
  query.set("step", step);
  if (part) query.set("part", part);
  return `?${query}`;
}

function draw(step) {
  if (!drawn.has(step)) {
    const answer = fetch(address(step, "stage")).then((page) => {
      if (!page.ok) throw new Error(`step ${step}: ${page.status}`);
      return page.text();
    });
    answer.catch(() => drawn.delete(step));
    drawn.set(step, answer);
  }
  return drawn.get(step);
}

async function go(step) {
  wanted = Math.min(Math.max(step, 1), total());
  const asked = wanted;
  let html;
  try {
    html = await draw(asked);
  } catch {
    location.search = address(asked);
    return;
  }
  if (asked !== wanted) return; /* somebody was quicker */
  const old = stage().querySelector(".log");
  const focused = document.activeElement?.closest?.(".log") !== null;
  const top = old.scrollTop;
  stage().outerHTML = html;
  const log = stage().querySelector(".log");
  log.scrollTop = top;
  settle(log, focused);
  history.replaceState(null, "", address(asked));
  for (const near of [asked + 1, asked - 1]) if (near >= 1 && near <= total()) draw(near).catch(() => {});
}

/* Everything outside the stage that tells which step this is. */
function settle(log, focused) {
  const line = log.querySelector("[aria-current]");
  log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight * 0.45;
  if (focused) line.querySelector("a").focus({ preventScroll: true });
  scrub.value = wanted;
  scrub.setAttribute("aria-valuetext", `step ${wanted} of ${total()}: ${line.innerText.replace(/\s+/g, " ")}`);
  document.getElementById("at").textContent = wanted;
  const cursor = document.getElementById("cursor");
  cursor.setAttribute("x1", wanted - 1);
  cursor.setAttribute("x2", wanted - 1);
  view.elements.step.value = wanted;
  document.getElementById("link").href = address(wanted);
  for (const link of dock.querySelectorAll("[data-go]")) link.href = address(moves[link.dataset.go]());
}

const moves = {
  next: () => Math.min(wanted + 1, total()),
  previous: () => Math.max(wanted - 1, 1),
  "next-mark": () => Number(stage().dataset.nextMark),
  "previous-mark": () => Number(stage().dataset.previousMark),
};

function playOn() {
  if (Number(stage().dataset.step) !== wanted) return; /* it is still on its way */
  if (wanted < total()) go(wanted + 1);
  else toggle();
}

function toggle() {
  const icon = play.querySelector("use");
  if (timer) clearInterval(timer);
  timer = timer
    ? 0
    : setInterval(playOn, PACE_MS);
  icon.setAttribute("href", icon.getAttribute("href").replace(/#.*/, timer ? "#pause" : "#play"));
  play.querySelector(".vh").textContent = timer ? "Pause" : "Play";
}

const keys = {
  ArrowRight: () => go(moves.next()),
  ArrowLeft: () => go(moves.previous()),
  ArrowDown: () => go(moves["next-mark"]()),
  ArrowUp: () => go(moves["previous-mark"]()),
  Home: () => go(1),
  End: () => go(total()),
  " ": toggle,
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("select, input, textarea, button, summary")) return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step], a[data-go]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.dataset.go ? moves[link.dataset.go]() : Number(link.dataset.step));
});

scrub.addEventListener("input", () => go(Number(scrub.value)));
view.elements.seat.addEventListener("change", () => view.requestSubmit());
play.addEventListener("click", toggle);
play.hidden = false;
document.body.classList.add("scripted");
settle(stage().querySelector(".log"), false);
