{
  // Buttons that save the text of another element as a file.
  for (const button of document.querySelectorAll("button[data-download]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const text = document.getElementById(button.dataset.download).textContent;
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      link.download = button.dataset.file.split("/").pop();
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }
}
