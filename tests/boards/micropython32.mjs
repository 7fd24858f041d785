// Runs a program on MicroPython with pointers of 32 bits: its WebAssembly build, in node.
//
//     node micropython32.mjs MICROPYTHON.MJS FOLDER HEAP < PROGRAM
//
// What is in FOLDER can be imported; HEAP is in bytes. The program defines step(), which is called until it returns
// False. This MicroPython takes more memory when its heap is full, and collects garbage only when Python has returned:
// gc.collect() in a step is done after it.

import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [micropython, folder, heap] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(micropython).href);
const mp = await loadMicroPython({ heapsize: Number(heap), stdout: (line) => console.log(line) });

function copy(from, to) {
    for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
        const source = `${from}/${entry.name}`, target = `${to}/${entry.name}`;
        if (entry.isDirectory()) {
            mp.FS.mkdirTree(target);
            copy(source, target);
        } else {
            mp.FS.writeFile(target, fs.readFileSync(source));
        }
    }
}

try {
    copy(folder, "");
    mp.runPython(fs.readFileSync(0, "utf8"));
    const step = mp.globals.get("step");
    while (step());
} catch (error) {
    console.error(error.message);
    process.exitCode = 1;
}
