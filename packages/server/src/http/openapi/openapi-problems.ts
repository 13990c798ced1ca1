// The errors of the service, as the OpenAPI document lists them: one answer per status, with an example.

import { HttpProblem, type Problem, problemOf } from '../problem.ts'

const text = { type: 'string' }

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    ...{ type: text, title: text, status: { type: 'integer' }, detail: text },
    ...{ code: { ...text, description: 'For programs, to tell errors apart.' } },
    hint: { ...text, description: 'What to do.' },
  },
}

/** By status: its name, what it means, and one of the problems that have it. */
const problems: Readonly<Record<number, readonly [name: string, description: string, example: Problem]>> = {
  400: [
    'BadRequest',
    'Something in the request is not allowed.',
    problemOf(new HttpProblem(400, 'INVALID_OPTION', 'top: Too small: expected number to be >=1')),
  ],
  401: [
    'Unauthorized',
    'The token is missing or not known.',
    problemOf(new HttpProblem(401, 'UNAUTHORIZED', 'this service needs a token')),
  ],
  403: [
    'Forbidden',
    'The token may only read, or the Host or Origin header is foreign.',
    problemOf(new HttpProblem(403, 'READ_ONLY', 'this token may read, but not change anything')),
  ],
  404: [
    'NotFound',
    'What you named is not there.',
    problemOf(new HttpProblem(404, 'UNKNOWN_NAME', 'there is no model "title"', { hint: 'Known models: titles.' })),
  ],
  408: [
    'TooSlow',
    'The body did not come in time.',
    problemOf(new HttpProblem(408, 'TOO_SLOW', 'the body did not come in time')),
  ],
  413: [
    'TooLarge',
    'The body is too large.',
    problemOf(new HttpProblem(413, 'TOO_LARGE', 'the body has more than 16777216 bytes')),
  ],
  415: [
    'NotJson',
    'The body has another type than expected.',
    problemOf(new HttpProblem(415, 'NOT_JSON', 'the content type is "text/plain", expected application/json')),
  ],
  422: [
    'BadData',
    'The data does not fit what is served.',
    problemOf(new HttpProblem(422, 'DIMENSION_MISMATCH', 'query has 1 dimensions, this index has 2')),
  ],
  503: [
    'Unavailable',
    'The operation took too long, or too many are waiting.',
    problemOf(new HttpProblem(503, 'TIME_OUT', 'the operation took longer than 30000 ms')),
  ],
}

const ofBodies = ['408', '413', '415', '422']

/** The errors that an operation can answer with. */
export function problemsOf(hasBody: boolean): Record<string, { readonly $ref: string }> {
  const own = Object.entries(problems).filter(([status]) => hasBody || !ofBodies.includes(status))
  const answers = own.map(([status, [name]]) => [status, { $ref: `#/components/responses/${name}` }])
  return { ...Object.fromEntries(answers), default: { $ref: '#/components/responses/Problem' } }
}

export const problemComponents = {
  schemas: { Problem: problemSchema },
  responses: {
    ...Object.fromEntries(
      Object.values(problems).map(([name, description, example]) => [name, response(description, example)]),
    ),
    Problem: response('What was wrong, and what to do.'),
  },
}

function response(description: string, example?: Problem): object {
  const schema = { $ref: '#/components/schemas/Problem' }
  return { description, content: { 'application/problem+json': { schema, ...(example && { example }) } } }
}
