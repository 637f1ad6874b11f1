// The mark in the label of a field that may be left empty. A field without it has to be filled in.
export function Optional() {
  return <span class="quiet"> optional</span>;
}
