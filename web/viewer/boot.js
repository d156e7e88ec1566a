// Unpacks the page's program, or says why it cannot. Not a module: what it
// declares is there for all modules.

/** @param {string} id */
async function inflate(id) {
  const letters = atob(document.getElementById(id)?.textContent ?? "");
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {Error} error */
function fail(error) {
  const failure = /** @type {HTMLElement} */ (document.getElementById("failure"));
  failure.hidden = false;
  failure.textContent =
    `This page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`;
}

// The page's policy allows scripts and styles by their hashes; those of these are in it.
async function boot() {
  const style = document.createElement("style");
  style.textContent = new TextDecoder().decode(await inflate("style"));
  document.head.prepend(style);
  const program = document.createElement("script");
  program.type = "module";
  program.textContent = new TextDecoder().decode(await inflate("program"));
  document.body.append(program);
}

boot().catch(fail);
