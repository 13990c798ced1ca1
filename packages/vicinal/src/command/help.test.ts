// The help of every command. Flags that commands share are pinned once; a command's own part is pinned without them.

import { describe, expect, it } from 'vitest'
import { vicinal } from './test-run.ts'

const readers = ['train', 'predict', 'evaluate', 'tune', 'index', 'search', 'curve', 'inspect', 'convert']
const commands = [...readers, 'explain', 'add', 'remove', 'serve', 'mcp', 'demo', 'completion']

/** A command's help: paragraphs with a title such as `Options:`, and others. */
async function helpOf(command: string): Promise<string[]> {
  const { code, stdout, stderr } = await vicinal([command, '--help'])
  expect([code, stderr]).toEqual([0, ''])
  return stdout.split(/\n\n/)
}

const sharedTitles = ['Reading data:', 'Global Options:', 'Options for --set, by method, with their defaults:']
const isShared = (paragraph: string) => sharedTitles.some(title => paragraph.startsWith(title))

async function sharedPart(command: string, title: string): Promise<string | undefined> {
  return (await helpOf(command)).find(paragraph => paragraph.startsWith(title))
}

/** The help without the flags that commands share. */
async function ownHelp(command: string): Promise<string> {
  return (await helpOf(command)).filter(paragraph => !isShared(paragraph)).join('\n\n')
}

describe('flags that commands share', () => {
  it('are the same for all commands that read data', async () => {
    expect(await sharedPart('train', 'Reading data:')).toMatchInlineSnapshot(`
      "Reading data:
        --format <name>           format of the data, if it cannot be told from
                                  extension and contents (choices: "hdf5", "parquet",
                                  "npy", "idx", "fvecs", "bvecs", "ivecs", "arff",
                                  "xmc", "jsonl", "svmlight", "tsv", "csv", "lines")
        --text-column <name>      column or field with the text; repeatable (default:
                                  text, title, …)
        --label-column <name>     column or field with the labels (default: labels,
                                  tags, …)
        --id-column <name>        column or field with the id of a row (default: id,
                                  …)
        --label-separator <text>  separator of the labels in a cell (default: white
                                  space, ; or |)
        --vocabulary <file>       names of the labels: SKOS, CSV or TSV, or one name
                                  per line
        --language <tag>          language of the names, such as fi (default: en, or
                                  the first)
        --only-vocabulary         drop labels that the vocabulary does not have or
                                  calls deprecated
        --label-xml <file>        for ARFF: XML file that says which columns are
                                  labels
        --index-base <n>          number of the first feature in svmlight files
                                  (default: 1) (choices: "0", "1")
        --part <name>             part to read if the file has several: train, test, …
        --skip-bad-rows           skip and count bad rows instead of stopping at the
                                  first
        --max-unpacked-bytes <n>  largest unpacked size of a compressed file (default:
                                  256 MiB, or 100 times its size)"
    `)
    for (const command of readers) {
      expect(await sharedPart(command, 'Reading data:')).toBe(await sharedPart('train', 'Reading data:'))
    }
  })

  it('are the global ones for all commands, whatever the width of the column', async () => {
    expect(await sharedPart('train', 'Global Options:')).toMatchInlineSnapshot(`
      "Global Options:
        --version                 print the version
        --json                    print one JSON object instead of text
        --threads <n>             number of threads (default: one per core)
        --seed <n>                random seed (default: 1)"
    `)
    const words = (text?: string) => text?.split(/\s+/).join(' ')
    for (const command of commands) {
      expect(words(await sharedPart(command, 'Global Options:'))).toBe(words(await sharedPart('train', 'Global')))
    }
  })

  it('are the options of the methods for train and tune', async () => {
    const [train, tune] = await Promise.all(
      ['train', 'tune'].map(name => sharedPart(name, 'Options for --set, by method')),
    )
    expect(train).toMatchInlineSnapshot(`
      "Options for --set, by method, with their defaults:
      lcif, instance, feature:
        neighbors=100  neighborPower=learned  featurePower=2  mix=0.5
        weighting=auto  featureShare=1  featureLabelBudget=50000000  distance=auto
        scaling=auto  threshold=cardinality  thresholdFactor=1  thresholdTrust=5
        thresholdRows=4000  allowEmpty=false  seed=1  text.stemmer=none
        text.wordGrams=1,1  text.charGrams=0,0  text.minLength=1  text.stopWords=
        text.sublinear=true  text.idf=smooth  text.minDocuments=1
        text.maxDocumentShare=1  text.maxFeatures=0  text.normalize=true
        text.hashBits=0  text.hashSign=false  keepTexts=true
      gpt, forest:
        grower=kd  rule=natural  trees=50  leafSize=9  depth=48  weighting=auto
        probes=0  blend=0  blendPower=2  tailLift=0  axes=0  sampleRows=100
        density=0  pcaScope=node  graphNeighbors=10  negatives=10  epochs=10
        epochRows=0  tailThreshold=50  l1=4  learningRate=0.1  distance=auto
        scaling=auto  threshold=cardinality  thresholdFactor=1  thresholdTrust=5
        thresholdRows=4000  allowEmpty=false  seed=1  text.stemmer=none
        text.wordGrams=1,1  text.charGrams=0,0  text.minLength=1  text.stopWords=
        text.sublinear=true  text.idf=smooth  text.minDocuments=1
        text.maxDocumentShare=1  text.maxFeatures=0  text.normalize=true
        text.hashBits=0  text.hashSign=false  keepTexts=true
      margin:
        distance=auto  gap=chosen  select=validation  tolerance=0  perturb=0
        minMargin=0  uncertainty=0.05  distancesTried=1  rademacherConstant=0
        validationRows=4000  seed=1  text.stemmer=none  text.wordGrams=1,1
        text.charGrams=0,0  text.minLength=1  text.stopWords=  text.sublinear=true
        text.idf=smooth  text.minDocuments=1  text.maxDocumentShare=1
        text.maxFeatures=0  text.normalize=true  text.hashBits=0
        text.hashSign=false
      memory:
        balance=0.9  leafFactor=4  reroutes=5  trees=1  learner=logistic  rate=0.5
        passes=3  probes=2  inference=auto  weighting=none  scaling=auto
        threshold=cardinality  thresholdFactor=1  thresholdTrust=5
        thresholdRows=4000  allowEmpty=false  seed=1  text.stemmer=none
        text.wordGrams=1,1  text.charGrams=0,0  text.minLength=1  text.stopWords=
        text.sublinear=true  text.idf=smooth  text.minDocuments=1
        text.maxDocumentShare=1  text.maxFeatures=0  text.normalize=true
        text.hashBits=0  text.hashSign=false  keepTexts=true"
    `)
    expect(tune).toBe(train)
  })
})

it('has examples at the end of the help of every command', async () => {
  for (const command of commands) {
    const { stdout } = await vicinal([command, '--help'])
    expect(stdout).toMatch(new RegExp(`\\nExamples:\\n(  .*vicinal ${command}.*\\n)+$`))
  }
})

describe('the help of', () => {
  it('train', async () => {
    expect(await ownHelp('train')).toMatchInlineSnapshot(`
      "Usage: vicinal train [options] <data>

      Train a classifier on labeled data, and write it to a model file.

      Arguments:
        data                      labeled data file in any supported format, gzipped
                                  or not

      Options:
        --out <model>             model file to write
        --force                   overwrite the model file
        --method <name>           labeling method (choices: "lcif", "instance",
                                  "feature", "gpt", "forest", "memory", "margin",
                                  default: "lcif")
        --grower <name>           how to grow trees, with --method forest (choices:
                                  "random-projection", "kd", "pca", "classification")
        --set <name=value>        set an option of the method; repeatable
        -h, --help                show this help

      Examples:
        vicinal train books.jsonl --out books.model
        vicinal train titles.tsv.gz --vocabulary subjects.tsv --out titles.model
        vicinal train train.txt --out fast.model --set weighting=chi2 --set neighbors=50
        vicinal train books.jsonl --out books.model --method gpt
        vicinal train books.jsonl --out books.model --method forest --grower pca --set trees=20
        vicinal train names.tsv --out names.model --method margin
        vicinal train books.csv --out books.model --set text.stemmer=english --force
      "
    `)
  })

  it('predict', async () => {
    expect(await ownHelp('predict')).toMatchInlineSnapshot(`
      "Usage: vicinal predict [options] <model> [data]

      Suggest labels for rows of data, best first, as lines of JSON.

      Arguments:
        model                     model file written by train
        data                      data file in any supported format, gzipped or not,
                                  or - for stdin

      Options:
        --text <text>             label this text instead of a file; repeatable
        --top <n>                 most labels per row (default: 5)
        --min-score <x>           only labels with at least this score
        --thresholded             only labels above the threshold of the model
        --explain                 add the neighbors and features behind each label
        --out <file>              write the answers to this .jsonl, .csv or .parquet
                                  file
        --force                   overwrite that file
        -h, --help                show this help

      Prints one JSON line per row, in the order of the data, with or without --json:
        {"id": "b7", "labels": [{"label": "shipping", "score": 0.41}, …]}
      Labels of a vocabulary also have a "name". With --out labels.csv, there is a row
      per label: id, rank, label, name, score.
      On stdin, each line is a text or, if the first line begins with {, a JSON object
      with a text and optionally an id. With --format, all of stdin is in that format.

      Examples:
        vicinal predict books.model new.jsonl > labels.jsonl
        vicinal predict books.model new.csv --top 3 --explain
        vicinal predict books.model --text "A history of the Baltic Sea" --min-score 0.1
        vicinal predict books.model new.jsonl --out labels.csv     # or .parquet
        vicinal predict titles.model new.tsv --language fi         # names in Finnish
        echo "A history of the Baltic Sea" | vicinal predict books.model -
      "
    `)
  })

  it('evaluate', async () => {
    expect(await ownHelp('evaluate')).toMatchInlineSnapshot(`
      "Usage: vicinal evaluate [options] <model> <data>

      Measure how good the labels of a model are on labeled data, and how long they
      take.

      Arguments:
        model                     model file written by train
        data                      labeled data that the model was not trained on

      Options:
        --per-label               also report each label; as text, the best and the
                                  worst
        -h, --help                show this help

      Labels of the data and of the model are matched by their ids. Labels that the
      model does not know count as missed. All measures are fractions from 0 to 1.

      Examples:
        vicinal evaluate books.model test.jsonl
        vicinal evaluate titles.model titles-test.tsv.gz --vocabulary subjects.tsv
        vicinal evaluate books.model test.jsonl --per-label        # the best and the worst
        vicinal evaluate titles.model test.tsv --per-label --language fi  # names in Finnish
        vicinal evaluate books.model test.jsonl --json             # for a program
      "
    `)
  })

  it('tune', async () => {
    expect(await ownHelp('tune')).toMatchInlineSnapshot(`
      "Usage: vicinal tune [options] <data>

      Find the options that score best on your data by one measure, and train with
      them.

      Arguments:
        data                      labeled data file in any supported format, gzipped
                                  or not

      Options:
        --metric <name>           measure to optimize (choices: "p@1", "p@3", "p@5",
                                  "ndcg@1", "ndcg@3", "ndcg@5", "psp@1", "psp@3",
                                  "psp@5", "accuracy", "hammingLoss", "microF1",
                                  "macroF1", "instanceF1", "macroF1Mulan",
                                  "microPrecision", "microRecall", "macroPrecision",
                                  "macroRecall", "instancePrecision",
                                  "instanceRecall", default: "p@1")
        --out <model>             train on all rows with the options found, and write
                                  the model here
        --force                   overwrite the model file
        --table                   print every set of options that was tried
        --method <name>           labeling method (choices: "lcif", "instance",
                                  "feature", "gpt", "forest", "memory", "margin",
                                  default: "lcif")
        --grower <name>           how to grow trees, with --method forest (choices:
                                  "random-projection", "kd", "pca", "classification")
        --set <name=value>        set an option of the method; repeatable
        -h, --help                show this help

      Options given with --set are fixed; others are tried on held-out rows.

      Examples:
        vicinal tune books.jsonl --metric p@1
        vicinal tune books.jsonl --metric microF1 --out books.model --table
        vicinal tune train.txt --metric ndcg@5 --set weighting=chi2 --json
      "
    `)
  })

  it('explain', async () => {
    expect(await ownHelp('explain')).toMatchInlineSnapshot(`
      "Usage: vicinal explain [options] <model>

      Show why a model gives a text or a vector its labels: the neighbors and words
      that support each one.

      Arguments:
        model                model file written by train

      Options:
        --text <text>        the text to label, if the model was trained on texts
        --vector <json>      the vector to label, as a JSON array
        --label <name>       explain this label, by id or name; repeatable (default:
                             the best ones)
        --top <n>            how many labels to explain, if you name none (default: 3)
        --vocabulary <file>  names of the labels (default: those in the model)
        --language <tag>     language of the names, such as fi
        -h, --help           show this help

      Examples:
        vicinal explain books.model --text "A history of the Baltic Sea"
        vicinal explain books.model --text "A history of the Baltic Sea" --label shipping
        vicinal explain titles.model --text "A history of the Baltic Sea" --language fi
        vicinal explain books.model --text "A history of the Baltic Sea" --top 1 --json
        vicinal explain songs.model --vector "[0.034, -0.41, 71.4]"
      "
    `)
  })

  it('index', async () => {
    expect(await ownHelp('index')).toMatchInlineSnapshot(`
      "Usage: vicinal index [options] <vectors>

      Build an index of vectors or texts for fast nearest-neighbor search, and write
      it to a file.

      Arguments:
        vectors                   data file with vectors, in any supported format,
                                  gzipped or not

      Options:
        --out <index>             index file to write
        --force                   overwrite the index file
        --kind <name>             kind of index (default: depends on the data, dense
                                  or sparse) (choices: "forest", "exact", "inverted",
                                  "sparse-forest", "net")
        --grower <name>           how to grow the trees of a forest
        --metric <name>           distance (default: depends on the kind) (choices:
                                  "euclidean", "cosine", "dot", "manhattan",
                                  "chebyshev", "angle", "jaccard", "earth-mover",
                                  "levenshtein", "levenshtein-normalized")
        --target-recall <share>   share of true neighbors that searches should find
        --k <n>                   number of neighbors that searches will ask for
        --set <name=value>        set an option of the kind; repeatable
        -h, --help                show this help

      Options for --set, by kind of index, with their defaults:
        forest: metric=euclidean  grower=kd  rule=natural  trees=20  leafSize=5
        depth=0  labelNeighbors=25  links=32  view=sketch  sketchDims=96  keep=rows
        seed=1  targetRecall=0.95  maxTuningSeconds=600  k=10  axes=0
        sampleRows=100  density=0  pcaScope=node  graphNeighbors=10  negatives=10
        epochs=10  epochRows=0  tailThreshold=50  l1=4  learningRate=0.1
        exact: metric=euclidean
        inverted: metric=cosine  partitionBest=100
        sparse-forest: metric=cosine  grower=graph  trees=10  leafSize=16  depth=48
        labelNeighbors=25  probes=0  threshold=0  candidates=200  seed=1  axes=0
        sampleRows=100  density=0  pcaScope=node  graphNeighbors=10  negatives=10
        epochs=10  epochRows=0  tailThreshold=50  l1=4  learningRate=0.1
        net: metric=euclidean

      If the data has ids, searches return them; otherwise they return row numbers.

      If the file to write is named *.collection, the lines of a JSON lines file become
      documents, to be searched by words and vectors: see add.

      Examples:
        vicinal index books.jsonl --out books.collection
        vicinal index vectors.npy --out vectors.index
        vicinal index train-images-idx3-ubyte.gz --out images.index --kind exact
        vicinal index embeddings.jsonl --out notes.index --metric cosine
        vicinal index train.svm --out documents.index --kind inverted --set metric=dot
        vicinal index train.svm --out documents.index --kind forest   # of sparse vectors
        vicinal index names.lines --out names.index --kind net --metric levenshtein
      "
    `)
  })

  it('add', async () => {
    expect(await ownHelp('add')).toMatchInlineSnapshot(`
      "Usage: vicinal add [options] <collection> <data>

      Store documents in a collection. A document with the same id is replaced.

      Arguments:
        collection            collection file written by index
        data                  JSON lines or array, CSV, TSV or Parquet, or - for JSON
                              lines on stdin

      Options:
        --text-column <name>  field or column to search by words; repeatable (default:
                              text, title, …)
        --id-column <name>    field or column with the id (default: id)
        -h, --help            show this help

      Each line of data is a JSON object, or a row of a CSV, TSV or Parquet file; an
      array of objects will do. id, text, fields, vector and metadata are as in the
      library. title, description, abstract, body and content are searched too; all
      other names are metadata. A line without an id gets a number. A document with
      the id of a stored one replaces it.
        {"id": "n1", "text": "The ferry leaves at noon", "year": 2026, "tags": ["sea"]}

      Examples:
        vicinal add notes.collection more.jsonl
        vicinal add books.collection new.csv --text-column headline
        echo '{"id": "n7", "text": "Ice on the sea"}' | vicinal add notes.collection -
      "
    `)
  })

  it('remove', async () => {
    expect(await ownHelp('remove')).toMatchInlineSnapshot(`
      "Usage: vicinal remove [options] <collection> <ids...>

      Remove documents from a collection.

      Arguments:
        collection     collection file written by index
        ids            ids of the documents

      Options:
        -h, --help     show this help

      Nothing is removed if one of the ids is unknown.

      Examples:
        vicinal remove notes.collection n1 n7
      "
    `)
  })

  it('search', async () => {
    expect(await ownHelp('search')).toMatchInlineSnapshot(`
      "Usage: vicinal search [options] <index> [queries]

      Find the nearest items of an index, nearest first, as lines of JSON.

      Arguments:
        index                     index or collection file written by index
        queries                   data file with vectors, gzipped or not, or - for
                                  JSON lines on stdin

      Options:
        --k <n>                   number of neighbors (default: 10)
        --set <name=value>        set a search option; repeatable
        --out <file>              write the answers to this .jsonl, .csv or .parquet
                                  file
        --force                   overwrite that file
        -h, --help                show this help

      Collections:
        --text <words>            words to look for
        --like <id>               find documents like this one
        --filter <condition>      condition on the metadata, such as year>=1990,
                                  lang=fi or lang!=fi; repeatable
        --prefix                  also find words that the last word begins
        --typos                   also find words that differ by a typo
        --min-score <x>           only documents with at least this score

      Prints one JSON line per query, in the order of the file, with or without --json:
        {"id": 0, "neighbors": [{"id": "b7", "distance": 0.41}, …]}
      On stdin, each line is a JSON object with a vector and, if all have one, an id:
        {"vector": [0.5, 1, 2]}    or, sparse,    {"vector": {"indices": [3], "values": [1]}}

      Options for --set, by kind of index; the defaults are those of the index:
        forest: trees  threshold  probes  walk  rerank
        inverted: algorithm
        sparse-forest: trees  probes  threshold  candidates
        net: tolerance (0.1: at most a tenth farther than the nearest)

      Of a collection, it prints one JSON line per document, best first, with the
      document in it; of a file of queries, one line per query:
        {"id": "b7", "score": 9.1, "text": "…", "metadata": {…}, "words": ["baltic"]}
      With --out hits.csv or hits.parquet, there is a row per document or neighbor.

      Examples:
        vicinal search books.collection --text "baltic history" --filter 'year>=1990'
        vicinal search books.collection queries.jsonl --k 3 --out hits.csv
        vicinal search images.index t10k-images-idx3-ubyte.gz --k 5
        vicinal search images.index t10k-images-idx3-ubyte.gz --set walk=100 --set rerank=50
        vicinal search vectors.index fashion.hdf5 --part test > neighbors.jsonl
        echo '{"vector": [0.1, 0.7]}' | vicinal search small.index -
        echo "Müller" | vicinal search names.index - --format lines
        vicinal search names.index new.lines --set tolerance=0.1
      "
    `)
  })

  it('curve', async () => {
    expect(await ownHelp('curve')).toMatchInlineSnapshot(`
      "Usage: vicinal curve [options] <index> <queries>

      Measure the recall of an index against its time per query.

      Arguments:
        index                     index file written by index
        queries                   data file with vectors that are not in the index

      Options:
        --k <n>                   number of neighbors (default: 10)
        --queries <n>             use only the first n queries
        --sample <n>              use only n random queries
        --svg <file>              also draw the curve to this file
        --force                   overwrite the drawing
        -h, --help                show this help

      Queries run one by one on one thread; the fastest of three rounds counts. Recall is
      the share of the k true neighbors that are found, by distance. The true neighbors
      are computed once, with all threads, and saved in a file next to the index.

      Examples:
        vicinal curve images.index t10k-images-idx3-ubyte.gz --queries 1000
        vicinal curve vectors.index fashion.hdf5 --part test --sample 500 --seed 7
        vicinal curve vectors.index queries.fvecs --svg curve.svg
        vicinal curve vectors.index queries.fvecs --k 100 --json   # for a program
      "
    `)
  })

  it('inspect', async () => {
    expect(await ownHelp('inspect')).toMatchInlineSnapshot(`
      "Usage: vicinal inspect [options] <file>

      Show what is in a data file, a model, an index or a memory store: sizes, values,
      labels, texts.

      Arguments:
        file                      data file in any supported format, gzipped or not, a
                                  model or index file, or a memory store

      Options:
        --tree <n>                show this tree of a forest model; the first is 0
        --levels <n>              levels of the tree to show (default: 4)
        --svg <file>              also draw the tree to this file
        --force                   overwrite the drawing
        -h, --help                show this help

      Examples:
        vicinal inspect train.txt.gz                         # rows, features, labels
        vicinal inspect books.csv --text-column title        # a table with text
        vicinal inspect train.txt.gz --vocabulary names.txt  # the labels by name
        vicinal inspect songs.model --json                   # a model, for a program
        vicinal inspect vectors.index                        # an index
        vicinal inspect notes                                # a memory store
        vicinal inspect books.model --tree 0                 # a tree of a model
        vicinal inspect books.model --tree 0 --svg tree.svg  # the same, drawn
      "
    `)
  })

  it('convert', async () => {
    expect(await ownHelp('convert')).toMatchInlineSnapshot(`
      "Usage: vicinal convert [options] <input> <output>

      Convert a data file to another format. Data that the format cannot hold is
      dropped only if you say so.

      Arguments:
        input                     data file in any supported format, gzipped or not
        output                    file to write; the extension sets the format, .gz
                                  compresses

      Options:
        --to <name>               format of the output, if the extension does not tell
                                  (choices: "npy", "fvecs", "xmc", "jsonl",
                                  "svmlight", "csv")
        --drop <part>             leave out this part of the data; repeatable
                                  (choices: "ids", "texts", "features",
                                  "feature-names", "labels", "label-names")
        --force                   overwrite the output file
        -h, --help                show this help

      Examples:
        vicinal convert books.csv books.jsonl.gz          # table to JSON lines
        vicinal convert train.txt train.svm               # xmc to svmlight
        vicinal convert corpus/ corpus.csv                # a folder of texts to a table
        vicinal convert images-idx3-ubyte.gz images.npy --drop labels
        vicinal convert query.npy vectors --to fvecs --force
      "
    `)
  })

  it('serve', async () => {
    expect(await ownHelp('serve')).toMatchInlineSnapshot(`
      "Usage: vicinal serve [options] <files...>

      Serve models, indexes, collections and memories: a page for people at /, an HTTP
      API for programs, documented at /docs.

      Arguments:
        files                        models, indexes, collections and memory stores

      Options:
        --host <address>             address to listen on (default: "127.0.0.1")
        --port <n>                   port to listen on; 0 for any that is free
                                     (default: 4747)
        --token-file <file>          require one of the tokens in this file
        --open                       serve other machines without tokens
        --allow-host <names...>      names of this service in the Host header, such as
                                     that of a proxy
        --allow-origin <origins...>  origins whose pages may call, such as
                                     https://example.org
        --max-body <MB>              largest request (default: 16)
        --test <files...>            measure models on these labeled items; model=file
                                     if several models are served
        --no-page                    serve the API alone, without the page at /
        --timeout <seconds>          longest request (default: 30)
        -h, --help                   show this help

      Each file is served under its name without the extension; name=path gives another.
      Changes are on disk before they are acknowledged: those of a store in the store,
      those of a model or a collection file in a folder beside it (<file>.changes).

      On any address but this machine's own, tokens are required. A token file has one
      token a line: \`read <token>\` or \`write <token>\`.

      Examples:
        vicinal serve titles.model                           # then open the address it prints
        vicinal serve titles.model --test test.tsv           # the page shows quality per label
        vicinal serve tagger=titles.model books.collection notes --port 8080
        vicinal serve titles.model --host 0.0.0.0 --allow-host tags.example.org --token-file tokens
      "
    `)
  })

  it('mcp', async () => {
    expect(await ownHelp('mcp')).toMatchInlineSnapshot(`
      "Usage: vicinal mcp [options] <files...>

      Give an agent a memory, labels and documents: an MCP server on stdin and stdout.

      Arguments:
        files               memory stores, models and collections

      Options:
        --namespace <name>  the only namespace of memories that the agent sees
        -h, --help          show this help

      Tools: remember, recall, reward, forget and list_memories for a memory store;
      suggest_labels and explain_label for a model; search for a collection.

      In the configuration of an MCP client:
        { "mcpServers": { "vicinal": { "command": "npx", "args": ["vicinal", "mcp", "/path/to/notes"] } } }

      Examples:
        vicinal memory create notes && vicinal mcp notes
        vicinal mcp notes titles.model books.collection --namespace anna
      "
    `)
  })

  it('site', async () => {
    expect(await ownHelp('site')).toMatchInlineSnapshot(`
      "Usage: vicinal site [options] <files...>

      Write a web site that needs no server: the page, the engine and your models, as
      static files.

      Arguments:
        files              models, indexes and collections; name=file shows one under
                           another name

      Options:
        --out <folder>     folder to write the site to
        --test <files...>  measure models on these labeled items; model=file if there
                           are several models
        -h, --help         show this help

      The folder holds static files: put it on any web host, also below a path. The engine
      and the models run in the visitor's browser. Nothing that visitors type leaves it, and
      their corrections stay in it; they can download them as a file for \`vicinal train\`.

      If the folder has a site that was written before, that site is replaced, and other files
      stay. A folder with anything else in it is refused.

      Examples:
        vicinal site titles.model --out public
        vicinal site titles.model --test test.tsv --out public   # the page shows quality per label
        vicinal site titles.model books.collection --out public
        vicinal site tagger=titles.model --out public && npx http-server public   # to try it
      "
    `)
  })

  it('demo', async () => {
    expect(await ownHelp('demo')).toMatchInlineSnapshot(`
      "Usage: vicinal demo [options]

      Learn from 53,928 bundled titles with subjects, then suggest subjects for new
      titles.

      Options:
        --serve        serve the page even if there is no terminal
        --no-serve     print everything as text, and serve no page
        -h, --help     show this help

      In a terminal, the demo serves a page until Ctrl-C. Otherwise it prints what it learned,
      and ends.

      Examples:
        vicinal demo              # then open the address it prints
        vicinal demo --no-serve   # without a page: type titles here
        vicinal demo --json
      "
    `)
  })

  it('completion', async () => {
    expect(await ownHelp('completion')).toMatchInlineSnapshot(`
      "Usage: vicinal completion [options] <shell>

      Print a script that completes vicinal commands and flags in your shell.

      Arguments:
        shell          the shell (choices: "bash", "zsh", "fish")

      Options:
        -h, --help     show this help

      Examples:
        eval "$(vicinal completion bash)"                                     # in ~/.bashrc
        source <(vicinal completion zsh)                                      # in ~/.zshrc
        vicinal completion fish > ~/.config/fish/completions/vicinal.fish
      "
    `)
  })
})
