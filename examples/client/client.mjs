// A whole game through the line protocol: seat 0 is played here, the others by bots of the engine.
//
//     node client.mjs [seed [command ...]]        the command that starts the engine, "nimmt serve" if there is none
//
// PROTOCOL.md documents the lines. Node's own modules are all it needs.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [seed = "7", command = "nimmt", ...rest] = process.argv.slice(2);
const engine = spawn(command, command === "nimmt" && !rest.length ? ["serve"] : rest, {
  stdio: ["pipe", "pipe", "inherit"],
});
engine.on("error", (error) => fail(`cannot start ${command}: ${error.message}`));
engine.stdin.on("error", () => fail(`${command} has ended`));
const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();

const heads = (card) => (card === 55 ? 7 : card % 11 === 0 ? 5 : card % 10 === 0 ? 3 : card % 5 === 0 ? 2 : 1);
const names = ["Ann", "Bo", "Cy", "Di"];
let requests = 0;

/** End with one line that says why. */
function fail(why) {
  console.error(why);
  process.exit(1);
}

/** Send a request, show the events that follow from it, return the reply. */
async function ask(request) {
  const id = ++requests;
  engine.stdin.write(JSON.stringify({ id, ...request }) + "\n");
  for (;;) {
    const { value, done } = await lines.next();
    if (done) fail(`${command} has ended`);
    let answer;
    try {
      answer = JSON.parse(value);
    } catch {
      fail(`${command} does not speak the protocol: ${value}`);
    }
    if (answer.event) {
      show(answer);
    } else if (!answer.ok) {
      fail(`${answer.error}: ${answer.message}`);
    } else if (answer.id === id) {
      return answer;
    }
  }
}

function show(event) {
  if (event.event === "Dealt") console.log(`round ${event.round}: ${event.rows.join(" / ")}`);
  if (event.event === "Placed" && event.taken.length) {
    const cost = event.taken.reduce((sum, card) => sum + heads(card), 0);
    console.log(`  ${names[event.seat]} plays ${event.card} and takes ${event.taken.join(" ")}: ${cost}`);
  }
  if (event.event === "RoundOver") console.log(`scores: ${event.scores.join(" ")}`);
  if (event.event === "GameOver") console.log(`winners: ${event.winners.map((seat) => names[seat]).join(", ")}`);
}

/** The card that lies nearest above the end of a row with room, else the lowest. */
function card(view) {
  const gaps = view.legal.map((mine) => {
    const below = view.rows.filter((row) => row[row.length - 1] < mine).sort((a, b) => b.at(-1) - a.at(-1))[0];
    return below && below.length < 5 ? mine - below.at(-1) : Infinity;
  });
  return view.legal[gaps.indexOf(Math.min(...gaps))];
}

/** The row with the fewest bull heads. */
function row(view) {
  const costs = view.rows.map((cards) => cards.reduce((sum, each) => sum + heads(each), 0));
  return view.owed.rows.reduce((best, each) => (costs[each] < costs[best] ? each : best));
}

const hello = await ask({ do: "hello" });
console.log(`${hello.name} ${hello.version}, protocol ${hello.protocol}`);
let state = await ask({ do: "create", names, seed, bots: [null, "nearest", "random", "lowest"] });
while (state.phase !== "over") {
  const { round, turn } = state; // so that a request could be sent again
  if (state.phase === "scored") {
    state = await ask({ do: "deal", round: round + 1 });
    continue;
  }
  const { view } = await ask({ do: "view", seat: 0 });
  state =
    state.phase === "take"
      ? await ask({ do: "take", seat: 0, row: row(view), round, turn })
      : await ask({ do: "choose", seat: 0, card: card(view), round, turn });
}
engine.stdin.end();
engine.on("exit", (code) => process.exit(code ?? 1));
