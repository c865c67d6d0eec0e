// Takes memory without end, in JavaScript.

process.stdin.on("data", (data) => {
  for (const line of data.toString().split("\n").filter(Boolean)) {
    if (JSON.parse(line).type === "hello") console.log('{"type":"ready"}');
    else for (const taken = []; ; ) taken.push(new Array(1e6).fill(1.5));
  }
});
