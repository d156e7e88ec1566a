// Makes web/built/editor.js, the editor of /write, of the modules here and of npm's packages: `npm --prefix web run build`.

import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const WEB = dirname(dirname(fileURLToPath(import.meta.url)));
const OUTPUT = join(WEB, "built/editor.js");
const PACKAGE = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const LICENSE = /^licen[cs]e(\.(md|txt))?$/i;

const { outputFiles, metafile } = await build({
  absWorkingDir: WEB,
  entryPoints: ["editor/editor.js"],
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none", // licenses() has them all
  metafile: true,
  write: false,
});
const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
const packages = [...new Set(inputs.flatMap((path) => PACKAGE.exec(path)?.[1] ?? []))].sort();
mkdirSync(dirname(OUTPUT), { recursive: true });
// A server that reads it meanwhile gets the old one or the new one, and never half of it.
writeFileSync(`${OUTPUT}.part`, outputFiles[0].text + licenses(packages));
renameSync(`${OUTPUT}.part`, OUTPUT);
console.log(`${OUTPUT}: the editor, with ${packages.length} packages of npm`);

/**
 * Return the licenses of packages as a comment, each text once.
 * @param {string[]} packages
 */
function licenses(packages) {
  /** @type {Map<string, string[]>} */
  const owners = new Map();
  for (const name of packages) {
    const folder = join(WEB, "node_modules", name);
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((each) => LICENSE.test(each));
    if (!file) throw new Error(`${name}: no license file in ${folder}, and what is bundled must have one`);
    const text = readFileSync(join(folder, file), "utf8").trim().replaceAll("*/", "* /");
    owners.set(text, [...(owners.get(text) ?? []), `${name} ${version}`]);
  }
  const parts = [...owners].map(([text, names]) => `${names.join(", ")}:\n\n${text}`);
  return `/*! This file contains:\n\n${parts.join("\n\n--\n\n")}\n*/\n`;
}
