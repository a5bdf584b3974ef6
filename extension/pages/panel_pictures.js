// Small pictures beside the pages of the panel, as far as the collection has them.

import { ask } from "./ask.js";
import { make } from "./elements.js";

// Add the pictures of some pages to their items of a list, one after the other, as long as the panel shows that list.
export async function showPictures(pages, list, isFresh) {
  for (const { url, has_picture } of pages) {
    if (!has_picture) continue;
    const { picture } = await ask("picture", { url });
    if (!isFresh()) return;
    if (picture) addPicture(picture, [...list.querySelectorAll("li")].find((one) => one.querySelector("a")?.href === url));
  }
}

function addPicture(base64, item) {
  if (!item || item.querySelector("img")) return;
  const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  const image = make("img", "", { alt: "", class: "thumbnail" }); // its title stands beside it
  image.src = URL.createObjectURL(new Blob([bytes], { type: "image/webp" }));
  image.addEventListener("load", () => URL.revokeObjectURL(image.src), { once: true });
  item.prepend(image);
}
