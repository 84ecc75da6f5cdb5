(() => {
  "use strict";
  const config = JSON.parse(document.getElementById("chart-config").textContent);
  for (const box of document.querySelectorAll("[data-chart]")) {
    const spec = JSON.parse(document.getElementById(box.dataset.chart).textContent);
    window.vegaEmbed(box, spec, {
      mode: "vega-lite",
      renderer: "svg",
      actions: false,
      config,
      tooltip: { disableDefaultStyle: true },
    });
  }
  window.addEventListener("beforeprint", () => window.dispatchEvent(new Event("resize")));
})();
