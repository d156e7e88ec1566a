// Filters the table of a ladder by bot and author, as one types, where all of it is on the page.

const input = document.getElementById("filter");
if (input?.form.dataset.whole) {
  const rows = [...document.querySelectorAll("#table tbody tr")].map((row) => ({
    row,
    words: `${row.cells[1].textContent} ${row.cells[6].textContent}`.toLowerCase(),
  }));
  const found = document.getElementById("found");
  const filter = () => {
    const wanted = input.value.trim().toLowerCase();
    let count = 0;
    for (const { row, words } of rows) {
      row.hidden = !words.includes(wanted);
      count += !row.hidden;
    }
    found.textContent = wanted ? `${count} of ${rows.length}` : "";
  };
  input.form.querySelector("button").hidden = true;
  input.form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", filter);
  filter();
}
