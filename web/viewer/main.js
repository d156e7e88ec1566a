// Shows the match that is in the page's own file.
import { read } from "./replay.js";
import { Viewer } from "./viewer.js";

async function main() {
  const { replay, images } = await read(await inflate("replay"));
  const texts = JSON.parse(new TextDecoder().decode(await inflate("texts")));
  const viewer = new Viewer(replay, images, texts);
  viewer.start();
  document.body.classList.remove("loading");
  performance.mark("shown");
  window.viewer = viewer;  // for the console, and for tests
}

main().catch((error) => {
  fail(error);
  throw error;
});
