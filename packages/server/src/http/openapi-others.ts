// The routes that are no operations, as the OpenAPI document lists them.

const problem = { default: { $ref: '#/components/responses/Problem' } }

function get(summary: string, tag: string, type = 'application/json') {
  return {
    get: {
      summary,
      tags: [tag],
      responses: { 200: { description: 'The answer.', content: { [type]: {} } }, ...problem },
    },
  }
}

const project = { name: 'project', in: 'path', required: true, schema: { type: 'string' } }

function post(summary: string, types: readonly string[], tag: string, parameters: readonly object[] = []) {
  const content = Object.fromEntries(types.map(type => [type, {}]))
  return {
    post: {
      summary,
      tags: [tag],
      parameters,
      requestBody: { content },
      responses: { 200: { description: 'The answer.' }, ...problem },
    },
  }
}

const json = ['application/json']
const form = ['application/x-www-form-urlencoded']

export const otherPaths: Readonly<Record<string, object>> = {
  '/health': get('Whether the process answers.', 'service'),
  '/ready': get('Whether everything is loaded.', 'service'),
  '/metrics': get('Counts and times of requests, for Prometheus.', 'service', 'text/plain'),
  '/v1/served': get('What is served, by kind and name.', 'service'),
  '/v1/models/{name}/predict-stream': post(
    'Suggest labels for a stream of items, a line of JSON each; answers come in the same order.',
    ['application/x-ndjson'],
    'models',
    [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
  ),
  '/v1/projects': get("The models, in Annif's shape.", 'annif'),
  '/v1/projects/{project}': {
    get: { ...get("One model, in Annif's shape.", 'annif').get, parameters: [project] },
  },
  '/v1/projects/{project}/suggest': post('Suggest subjects for a text.', form, 'annif', [project]),
  '/v1/projects/{project}/suggest-batch': post('Suggest subjects for up to 32 texts.', json, 'annif', [project]),
  '/v1/projects/{project}/learn': post('Learn from texts with their subjects.', json, 'annif', [project]),
  '/v1/detect-language': post('Always unknown: Vicinal does not detect languages.', json, 'annif'),
}
