// Handing in a bot by dropping files and folders on the form; without this the form works, too.
// All three are there for whom may hand in a bot, and none for others.
const form = /** @type {HTMLFormElement} */ (document.getElementById("submit"));
const drop = /** @type {HTMLElement} */ (document.getElementById("drop"));
const dropped = /** @type {HTMLElement} */ (document.getElementById("dropped"));
const refused = /** @type {HTMLElement} */ (document.getElementById("refused"));
const MAX_FILES = 10_000;  // of which the server looks at no more
const TIMEOUT_MS = 600_000;  // 32 MB on a slow connection

/** @type {[path: string, file: File][]} */
let files = [];  // what was dropped

/**
 * Yield the files of a folder that was dropped, with their paths.
 * @param {FileSystemEntry} entry
 * @returns {AsyncGenerator<[path: string, file: File], void>}
 */
async function* filesIn(entry, path = entry.name) {
  if (entry.isFile) {
    const own = /** @type {FileSystemFileEntry} */ (entry);
    yield [path, await new Promise((done, failed) => own.file(done, failed))];
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return;
    for (const inner of some) yield* filesIn(inner, `${path}/${inner.name}`);
  }
}

/** @param {DataTransfer} transfer */
async function take(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  files = entries.length ? [] : [...transfer.files].map((file) => [file.name, file]);
  for (const entry of entries) {
    for await (const file of filesIn(entry)) {
      if (files.push(file) > MAX_FILES) break;
    }
  }
  dropped.textContent = files.length === 1 ? `Dropped: ${files[0][0]}`
    : `Dropped: ${files.length} files (${files.slice(0, 3).map(([path]) => path).join(", ")}${files.length > 3 ? ", ..." : ""})`;
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = form.querySelectorAll("input[type=file]");
  for (const input of inputs) input.value = "";
}

// Send the form with what was dropped, and go where its answer leads.
async function send() {
  const fields = new FormData(form);
  for (const name of ["files", "folder"]) fields.delete(name);
  for (const [path, file] of files) fields.append("files", file, path);
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=submit]"));
  button.disabled = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body: fields, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.redirected) {
      location.assign(answer.url);
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    refused.textContent = page.querySelector(".why")?.textContent ?? "The server does not take this.";
  } catch {
    refused.textContent = "The server does not answer, or the files are too large: at most 32 MB. What you chose is still here.";
  }
  button.disabled = false;
}

if (form) {
  dropped.textContent = `Files and folders can be dropped here, too. ${dropped.textContent}`;
  for (const name of ["dragenter", "dragover"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => event.relatedTarget ?? drop.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer) take(event.dataTransfer);
  });
  form.addEventListener("change", (event) => {
    if (/** @type {HTMLInputElement} */ (event.target).type !== "file") return;
    files = [];
    dropped.textContent = "";
  });
  form.addEventListener("submit", (event) => {
    if (!files.length) return;  // chosen the usual way: the browser sends them
    event.preventDefault();
    send();
  });
}
