// What a label says of a field that may be left empty. One without it is to be filled in.
export function Optional() {
  return <span class="quiet"> optional</span>;
}
