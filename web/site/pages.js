// What every page of the site does.
import "./forms.js";
import "./times.js";
