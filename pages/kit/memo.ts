// Draws a component again only when its properties are others.
import { Component, type ComponentChild, type FunctionComponent, h } from 'preact';

export function memo<P extends object>(draw: FunctionComponent<P>): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !isShallowEqual(this.props, next);
    }

    override render(props: P): ComponentChild {
      return h(draw, props);
    }
  }
  return (props) => h(Memo, props);
}

function isShallowEqual(one: object, other: object): boolean {
  const [before, after] = [Object.entries(one), new Map(Object.entries(other))];
  return before.length === after.size && before.every(([name, value]) => after.get(name) === value);
}
