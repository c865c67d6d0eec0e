// Computes for ever, in JavaScript.

process.stdin.on("data", (data) => {
  for (const line of data.toString().split("\n").filter(Boolean)) {
    if (JSON.parse(line).type === "hello") console.log('{"type":"ready"}');
    else for (;;);
  }
});
