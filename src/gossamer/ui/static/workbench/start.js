// Start the workbench, after all of its parts are there.
"use strict";

if (window.innerWidth < 700) for (const part of Workbench.controls.querySelectorAll("details")) part.open = false;
if (window.Sigma && window.graphology) Workbench.load();
