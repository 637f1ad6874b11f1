// @slipway/client
export { type Answer, type AnswerOf, type CallOptions, Client, type ClientOptions, type OperationName } from './client.ts';
export { ApiFailure, type FieldProblems } from './failure.ts';
export type * from './generated/schemas.ts';
export type { Method, RequestOptions } from './request.ts';
