// Maps that keep a limited number of entries: those that were set most recently.

/** The entry becomes the newest; if there are too many, the oldest goes. Returns the value. */
export function setNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): Value {
  map.delete(key); // set anew, so that the order of the map is that of the last change
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value!);
  return value;
}
