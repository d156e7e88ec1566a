// What every page of the site does.
import "./forms.js";
import "./times.js";
import { showScrolling } from "../shared/scrolling.js";

showScrolling(".wide");
