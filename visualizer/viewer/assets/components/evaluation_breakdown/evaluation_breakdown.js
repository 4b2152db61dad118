// Hands what the server says about a leaf to the viewer that asked.

import { TOLD } from "../tree_viewer/evaluation_panel.js";

export function show({ data, parentElement }) {
  if (parentElement.told === data.token) return;
  parentElement.told = data.token;
  parentElement.view ??= { destroy() {} };
  window.dispatchEvent(new CustomEvent(TOLD, { detail: data }));
}
