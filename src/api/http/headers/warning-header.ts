// Warns a client in a header of the answer that a saved setting works only later, or elsewhere.
import type { JsonObject } from '../../../shape/json/json.ts';
import type { Route } from '../../engine/route.ts';

/** `warningAbout` looks at the body of a request that was accepted. */
export function withWarning(route: Route, warningAbout: (body: JsonObject) => string | undefined): Route {
  const { details } = route.description;
  const about = 'What is saved and does not work as things are now is reported in the header `Warning`.';
  return {
    ...route,
    description: { ...route.description, details: details === undefined ? about : `${details} ${about}` },
    handle: async (request) => {
      const answer = await route.handle(request);
      const warning = warningAbout(request.body);
      return warning === undefined ? answer : { ...answer, headers: [...(answer.headers ?? []), 'Warning', `199 Slipway "${warning}"`] };
    },
  };
}
