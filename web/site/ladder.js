// Filters the table of a ladder by bot and author, as one types, where all of it is on the page.

const input = /** @type {HTMLInputElement | null} */ (document.getElementById("filter"));
if (input?.form?.dataset.whole) {
  const { form } = input;
  /** @type {NodeListOf<HTMLTableRowElement>} */
  const all = document.querySelectorAll("#table tbody tr");
  const rows = [...all].map((row) => ({
    row,
    words: `${row.cells[1].textContent} ${row.cells[6].textContent}`.toLowerCase(),
  }));
  const found = /** @type {HTMLElement} */ (document.getElementById("found"));
  const filter = () => {
    const wanted = input.value.trim().toLowerCase();
    let count = 0;
    for (const { row, words } of rows) {
      row.hidden = !words.includes(wanted);
      count += Number(!row.hidden);
    }
    found.textContent = wanted ? `${count} of ${rows.length}` : "";
  };
  form.querySelectorAll("button").forEach((button) => (button.hidden = true));
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", filter);
  filter();
}
