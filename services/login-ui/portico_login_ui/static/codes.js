// Copies and prints recovery codes; without a script there is the file.
"use strict";
{
  const copy = document.getElementById("recovery-codes-copy");
  copy.hidden = !navigator.clipboard;
  copy.addEventListener("click", async () => {
    const codes = [...document.querySelectorAll("#recovery-codes li")].map((code) => code.textContent);
    await navigator.clipboard.writeText(`${codes.join("\n")}\n`);
    copy.textContent = copy.dataset.done;
  });

  const paper = document.getElementById("recovery-codes-print");
  paper.hidden = false;
  paper.addEventListener("click", () => window.print());
}
