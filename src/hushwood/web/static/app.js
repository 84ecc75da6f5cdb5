"use strict";
// What pages need beyond htmx: dropping files, copying commands, progress of a job, the dial that fits a technique.

const byId = (id) => document.getElementById(id);

function problem(sentence) {
  const place = byId("problem");
  const note = document.createElement("p");
  note.className = "notice bad";
  note.setAttribute("role", "alert");
  note.textContent = sentence;
  place.replaceChildren(note);
}

function tooLarge(form) {
  const most = Number(form.dataset.most);
  const files = [...form.querySelectorAll("input[type=file]")].flatMap((input) => [...input.files]);
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (!most || total <= most) return false;
  problem(`This is larger than ${Math.round(most / 1e6)} MB, the most that is taken here; start hushwood web next to the file.`);
  return true;
}

function readyToDrop(form) {
  const input = form.querySelector("input[type=file]");
  for (const kind of ["dragenter", "dragover"]) {
    document.addEventListener(kind, (event) => { event.preventDefault(); form.classList.add("over"); });
  }
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) form.classList.remove("over"); });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}

function follow(job) {
  const events = new EventSource(job.dataset.events);
  events.onmessage = (event) => {
    const now = JSON.parse(event.data);
    byId("stage").textContent = now.stage;
    byId("ran").textContent = now.ran;
    byId("left").textContent = now.left;
    const bar = byId("bar");
    if (now.total) { bar.max = now.total; bar.value = now.done; } else { bar.removeAttribute("value"); }
    if (now.over) { events.close(); window.location.reload(); }
  };
}

function showDial() {
  const chosen = document.querySelector("input[name=technique]:checked");
  const tuned = byId("by-tuning");
  if (!chosen || !tuned) return;
  const dial = chosen.dataset.dial.includes(".") ? "other" : chosen.dataset.dial;
  for (const field of document.querySelectorAll(".dial")) {
    const used = field.dataset.for === dial && !tuned.checked;
    field.hidden = !used;
    field.querySelector("input").disabled = !used;
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const drop = byId("drop");
  if (drop) readyToDrop(drop);
  for (const form of document.querySelectorAll("form[data-most]")) {
    form.addEventListener("submit", (event) => { if (tooLarge(form)) event.preventDefault(); });
  }
  const job = byId("job");
  if (job && !job.dataset.over) follow(job);
  showDial();
  openPoint();
});
document.addEventListener("change", showDial);

// A new try ends what was said about the last one; what does not answer says so, and nothing goes on spinning.
document.addEventListener("htmx:beforeRequest", (event) => {
  const form = event.target.closest("form");
  for (const place of [byId("problem"), ...(form ? [...form.querySelectorAll(".wrong"), ...form.parentElement.querySelectorAll(":scope > .wrong")] : [])]) place.replaceChildren();
});
document.addEventListener("htmx:sendError", () => {
  for (const busy of document.querySelectorAll(".busy")) busy.remove();
  problem("Hushwood does not answer. If it was stopped, start hushwood web again.");
});
window.addEventListener("hashchange", openPoint);

function openPoint() {
  const details = window.location.hash.startsWith("#point-") && byId(window.location.hash.slice(1));
  if (!details) return;
  details.open = true;
  details.querySelector("summary").focus();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  navigator.clipboard.writeText(byId(button.dataset.copy).textContent).then(() => {
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
});
