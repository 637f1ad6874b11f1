// Names inside pipelines are the same in any letter case.
export function same(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase();
}
