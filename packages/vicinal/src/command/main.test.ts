import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { TestFolder, vicinal } from './test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

describe('vicinal', () => {
  it('explains itself', async () => {
    const { code, stdout, stderr } = await vicinal(['--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatchInlineSnapshot(`
      "Usage: vicinal <command> [options]

      Finds neighbors, labels with large vocabularies, and remembers what it learns.

      Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)
        -h, --help                show this help

      Label:
        train <data>              learn to label from data with labels
        predict <model> <data>    suggest labels for rows of data
        evaluate <model> <data>   measure how good the labels of a model are
        tune <data>               find the options that suit your data
        explain <model>           show why an item gets its labels

      Search:
        index <vectors>           make an index of vectors or texts
        search <index> <queries>  find the nearest items of an index
        curve <index> <queries>   measure recall against time per query

      Remember:
        memory                    keep, find, reward and forget memories

      Data:
        inspect <file>            show what is in a data file, a model or an index
        convert <input> <output>  write a data file in another format

      More:
        demo                      learn from bundled titles, then label new ones
        completion <shell>        print a completion script for your shell
        help [command]            show the help of a command

      Data goes to stdout, talk and progress to stderr: how much of the command is done
      and how long the rest takes, every ten seconds if stderr is not a terminal.
      If a command fails with --json, the last line on stderr is {"error": {"code", "message", "hint", "where"}}.

      Environment:
        DEBUG  print the stack trace of an error

      Exit codes:
        0      success
        1      a bug in Vicinal
        2      wrong usage: an unknown command, flag or value
        3      bad data: the message says where
        4      a file is missing, unreadable, already there or not a model; the disk is full
        130    stopped by Ctrl-C (143: SIGTERM, 129: SIGHUP)

      Run \`vicinal <command> --help\` for a command's flags and examples.
      "
    `)
  })

  it('shows its help on stderr and fails where no command is given', async () => {
    const { code, stdout, stderr } = await vicinal([])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe((await vicinal(['--help'])).stdout)
  })

  it('shows the help of a command in both ways', async () => {
    const { stdout } = await vicinal(['inspect', '--help'])
    expect(stdout).toMatch(/^Usage: vicinal inspect/)
    expect(await vicinal(['help', 'inspect'])).toEqual({ code: 0, stdout, stderr: '' })
  })

  it('explains demo', async () => {
    expect((await vicinal(['demo', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal demo [options]

      Learn from 53,928 titles with subjects that come with Vicinal, then suggest
      subjects for new titles.

      Options:
        -h, --help     show this help

      Global Options:
        --version      print the version
        --json         print one machine-readable object instead of text
        --threads <n>  threads to work with (default: one per core)
        --seed <n>     seed of all that is random (default: 1)

      Examples:
        vicinal demo
        vicinal demo --json
      "
    `)
  })

  it('explains explain', async () => {
    expect((await vicinal(['explain', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal explain [options] <model>

      Show why a model gives a text or a vector its labels: the neighbors and the
      words that speak for each.

      Arguments:
        model            model file that train has written

      Options:
        --text <text>    the text to label, if the model was trained on texts
        --vector <json>  the vector to label, as a JSON array
        --label <name>   explain this label; repeatable (default: the best ones)
        --top <n>        how many labels to explain, where none is named (default: 3)
        -h, --help       show this help

      Global Options:
        --version        print the version
        --json           print one machine-readable object instead of text
        --threads <n>    threads to work with (default: one per core)
        --seed <n>       seed of all that is random (default: 1)

      Examples:
        vicinal explain books.model --text "A history of the Baltic Sea"
        vicinal explain books.model --text "A history of the Baltic Sea" --label shipping
        vicinal explain books.model --text "A history of the Baltic Sea" --top 1 --json
        vicinal explain songs.model --vector "[0.034, -0.41, 71.4]"
      "
    `)
  })

  it('explains tune', async () => {
    expect((await vicinal(['tune', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal tune [options] <data>

      Find the options of a method that suit your data best by one measure, and train
      with them.

      Arguments:
        data                      data file with labels, in any supported format,
                                  gzipped or not

      Options:
        --metric <name>           what to improve (choices: "p@1", "p@3", "p@5",
                                  "ndcg@1", "ndcg@3", "ndcg@5", "psp@1", "psp@3",
                                  "psp@5", "accuracy", "hammingLoss", "microF1",
                                  "macroF1", "instanceF1", "macroF1Mulan",
                                  "microPrecision", "microRecall", "macroPrecision",
                                  "macroRecall", "instancePrecision",
                                  "instanceRecall", default: "p@1")
        --out <model>             train with the options found, on all rows, and write
                                  the model here
        --force                   overwrite the model file
        --table                   print every set of options that was tried
        --method <name>           how to label (choices: "lcif", "instance",
                                  "feature", "gpt", "forest", "memory", "margin",
                                  default: "lcif")
        --grower <name>           how trees are grown, with --method forest (choices:
                                  "random-projection", "kd", "pca", "classification")
        --set <name=value>        set an option of the method; repeatable
        -h, --help                show this help

      Reading data:
        --format <name>           format of the data, where ending and contents do not
                                  tell (choices: "hdf5", "parquet", "npy", "idx",
                                  "fvecs", "bvecs", "ivecs", "arff", "xmc", "jsonl",
                                  "svmlight", "tsv", "csv", "lines")
        --text-column <name>      column or field with the text; repeatable (default:
                                  text, title, …)
        --label-column <name>     column or field with the labels (default: labels,
                                  tags, …)
        --id-column <name>        column or field with the key of a row (default: id,
                                  …)
        --label-separator <text>  what separates the labels in a cell (default: white
                                  space, ; or |)
        --label-names <file>      file of label names: one a line, or lines of key,
                                  tab, name
        --index-base <n>          number of the first feature in svmlight files
                                  (default: 1) (choices: "0", "1")
        --part <name>             which part of a file with several: train, test, …
        --skip-bad-rows           leave out bad rows and count them, instead of
                                  stopping at the first
        --max-unpacked-bytes <n>  how large a compressed file may get (default: 256
                                  MiB, or 100 times its size)

      Global Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)

      Options of the methods, for --set, with their defaults:
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

      Options given with --set are fixed; others are tried on held-out rows.

      Examples:
        vicinal tune books.jsonl --metric p@1
        vicinal tune books.jsonl --metric microF1 --out books.model --table
        vicinal tune train.txt --metric ndcg@5 --set weighting=chi2 --json
      "
    `)
  })

  it('explains evaluate', async () => {
    expect((await vicinal(['evaluate', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal evaluate [options] <model> <data>

      Measure how good the labels of a model are on data whose labels are known, and
      what they cost.

      Arguments:
        model                     model file that train has written
        data                      data file with labels that the model has not seen

      Options:
        --per-label               also tell how each label fares; as text, the best
                                  and the worst
        -h, --help                show this help

      Reading data:
        --format <name>           format of the data, where ending and contents do not
                                  tell (choices: "hdf5", "parquet", "npy", "idx",
                                  "fvecs", "bvecs", "ivecs", "arff", "xmc", "jsonl",
                                  "svmlight", "tsv", "csv", "lines")
        --text-column <name>      column or field with the text; repeatable (default:
                                  text, title, …)
        --label-column <name>     column or field with the labels (default: labels,
                                  tags, …)
        --id-column <name>        column or field with the key of a row (default: id,
                                  …)
        --label-separator <text>  what separates the labels in a cell (default: white
                                  space, ; or |)
        --label-names <file>      file of label names: one a line, or lines of key,
                                  tab, name
        --index-base <n>          number of the first feature in svmlight files
                                  (default: 1) (choices: "0", "1")
        --part <name>             which part of a file with several: train, test, …
        --skip-bad-rows           leave out bad rows and count them, instead of
                                  stopping at the first
        --max-unpacked-bytes <n>  how large a compressed file may get (default: 256
                                  MiB, or 100 times its size)

      Global Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)

      The labels of the data are matched to the model's by name. Labels that the model
      does not know count as missed. All measures are fractions from 0 to 1.

      Examples:
        vicinal evaluate books.model test.jsonl
        vicinal evaluate titles.model titles-test.tsv.gz --label-names subjects.tsv
        vicinal evaluate books.model test.jsonl --per-label        # the best and the worst
        vicinal evaluate books.model test.jsonl --json             # for a program
      "
    `)
  })

  it('explains predict', async () => {
    expect((await vicinal(['predict', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal predict [options] <model> <data>

      Suggest labels for rows of data, best first, as lines of JSON.

      Arguments:
        model                     model file that train has written
        data                      data file in any supported format, gzipped or not, or
                                  - for stdin

      Options:
        --top <n>                 how many labels at most (default: 5)
        --thresholded             only labels that pass the threshold of the model
        --explain                 say because of which neighbors and which features
        -h, --help                show this help

      Reading data:
        --format <name>           format of the data, where ending and contents do not
                                  tell (choices: "hdf5", "parquet", "npy", "idx",
                                  "fvecs", "bvecs", "ivecs", "arff", "xmc", "jsonl",
                                  "svmlight", "tsv", "csv", "lines")
        --text-column <name>      column or field with the text; repeatable (default:
                                  text, title, …)
        --label-column <name>     column or field with the labels (default: labels,
                                  tags, …)
        --id-column <name>        column or field with the key of a row (default: id,
                                  …)
        --label-separator <text>  what separates the labels in a cell (default: white
                                  space, ; or |)
        --label-names <file>      file of label names: one a line, or lines of key,
                                  tab, name
        --index-base <n>          number of the first feature in svmlight files
                                  (default: 1) (choices: "0", "1")
        --part <name>             which part of a file with several: train, test, …
        --skip-bad-rows           leave out bad rows and count them, instead of
                                  stopping at the first
        --max-unpacked-bytes <n>  how large a compressed file may get (default: 256
                                  MiB, or 100 times its size)

      Global Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)

      Prints one JSON line per row, in the order of the data, with or without --json:
        {"id": "b7", "labels": [{"label": "shipping", "score": 0.41}, …]}
      On stdin a line is a text, or, where the first line begins with {, a JSON object
      with a text and perhaps an id. With --format, stdin is read whole in that format.

      Examples:
        vicinal predict books.model new.jsonl > labels.jsonl
        vicinal predict books.model new.csv --top 3 --explain
        echo "A history of the Baltic Sea" | vicinal predict books.model -
      "
    `)
  })

  it('explains train', async () => {
    expect((await vicinal(['train', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal train [options] <data>

      Learn to label from rows with labels, and write what was learned to a model
      file.

      Arguments:
        data                      data file with labels, in any supported format,
                                  gzipped or not

      Options:
        --out <model>             model file to write
        --force                   overwrite the model file
        --method <name>           how to label (choices: "lcif", "instance",
                                  "feature", "gpt", "forest", "memory", "margin",
                                  default: "lcif")
        --grower <name>           how trees are grown, with --method forest (choices:
                                  "random-projection", "kd", "pca", "classification")
        --set <name=value>        set an option of the method; repeatable
        -h, --help                show this help

      Reading data:
        --format <name>           format of the data, where ending and contents do not
                                  tell (choices: "hdf5", "parquet", "npy", "idx",
                                  "fvecs", "bvecs", "ivecs", "arff", "xmc", "jsonl",
                                  "svmlight", "tsv", "csv", "lines")
        --text-column <name>      column or field with the text; repeatable (default:
                                  text, title, …)
        --label-column <name>     column or field with the labels (default: labels,
                                  tags, …)
        --id-column <name>        column or field with the key of a row (default: id,
                                  …)
        --label-separator <text>  what separates the labels in a cell (default: white
                                  space, ; or |)
        --label-names <file>      file of label names: one a line, or lines of key,
                                  tab, name
        --index-base <n>          number of the first feature in svmlight files
                                  (default: 1) (choices: "0", "1")
        --part <name>             which part of a file with several: train, test, …
        --skip-bad-rows           leave out bad rows and count them, instead of
                                  stopping at the first
        --max-unpacked-bytes <n>  how large a compressed file may get (default: 256
                                  MiB, or 100 times its size)

      Global Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)

      Options of the methods, for --set, with their defaults:
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

      Examples:
        vicinal train books.jsonl --out books.model
        vicinal train titles.tsv.gz --label-names subjects.tsv --out titles.model
        vicinal train train.txt --out fast.model --set weighting=chi2 --set neighbors=50
        vicinal train books.jsonl --out books.model --method gpt
        vicinal train books.jsonl --out books.model --method forest --grower pca --set trees=20
        vicinal train names.tsv --out names.model --method margin
        vicinal train books.csv --out books.model --set text.stemmer=english --force
      "
    `)
  })

  it('explains index', async () => {
    expect((await vicinal(['index', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal index [options] <vectors>

      Make an index of vectors or texts, and write it to a file, so that their
      neighbors are found fast.

      Arguments:
        vectors                   data file with vectors, in any supported format,
                                  gzipped or not

      Options:
        --out <index>             index file to write
        --force                   overwrite the index file
        --kind <name>             which index (default: by the data, dense or sparse)
                                  (choices: "forest", "exact", "inverted",
                                  "sparse-forest", "net")
        --grower <name>           how the trees of a forest are grown
        --metric <name>           what distance means (default: by the kind) (choices:
                                  "euclidean", "cosine", "dot", "manhattan",
                                  "chebyshev", "angle", "jaccard", "earth-mover",
                                  "levenshtein", "levenshtein-normalized")
        --target-recall <share>   the share of true neighbors that searches shall find
        --k <n>                   how many neighbors searches will ask for
        --set <name=value>        set an option of the kind; repeatable
        -h, --help                show this help

      Reading data:
        --format <name>           format of the data, where ending and contents do not
                                  tell (choices: "hdf5", "parquet", "npy", "idx",
                                  "fvecs", "bvecs", "ivecs", "arff", "xmc", "jsonl",
                                  "svmlight", "tsv", "csv", "lines")
        --text-column <name>      column or field with the text; repeatable (default:
                                  text, title, …)
        --label-column <name>     column or field with the labels (default: labels,
                                  tags, …)
        --id-column <name>        column or field with the key of a row (default: id,
                                  …)
        --label-separator <text>  what separates the labels in a cell (default: white
                                  space, ; or |)
        --label-names <file>      file of label names: one a line, or lines of key,
                                  tab, name
        --index-base <n>          number of the first feature in svmlight files
                                  (default: 1) (choices: "0", "1")
        --part <name>             which part of a file with several: train, test, …
        --skip-bad-rows           leave out bad rows and count them, instead of
                                  stopping at the first
        --max-unpacked-bytes <n>  how large a compressed file may get (default: 256
                                  MiB, or 100 times its size)

      Global Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)

      Options of the kinds, for --set, with their defaults:
        forest: metric=euclidean  grower=kd  rule=natural  trees=20  leafSize=5
        depth=0  labelNeighbors=25  view=sketch  sketchDims=96  keep=rows  seed=1
        targetRecall=0.95  maxTuningSeconds=600  k=10  axes=0  sampleRows=100
        density=0  pcaScope=node  graphNeighbors=10  negatives=10  epochs=10
        epochRows=0  tailThreshold=50  l1=4  learningRate=0.1
        exact: metric=euclidean
        inverted: metric=cosine  partitionBest=100
        sparse-forest: metric=cosine  grower=graph  trees=10  leafSize=16  depth=48
        labelNeighbors=25  probes=0  threshold=0  candidates=200  seed=1  axes=0
        sampleRows=100  density=0  pcaScope=node  graphNeighbors=10  negatives=10
        epochs=10  epochRows=0  tailThreshold=50  l1=4  learningRate=0.1
        net: metric=euclidean

      If the data has ids, searches return them; otherwise they return row numbers.

      Examples:
        vicinal index vectors.npy --out vectors.index
        vicinal index train-images-idx3-ubyte.gz --out images.index --kind exact
        vicinal index embeddings.jsonl --out notes.index --metric cosine
        vicinal index train.svm --out documents.index --kind inverted --set metric=dot
        vicinal index train.svm --out documents.index --kind forest   # of sparse vectors
        vicinal index names.lines --out names.index --kind net --metric levenshtein
      "
    `)
  })

  it('explains search', async () => {
    expect((await vicinal(['search', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal search [options] <index> <queries>

      Find the nearest items of an index, nearest first, as lines of JSON.

      Arguments:
        index                     index file that index has written
        queries                   data file with vectors, gzipped or not, or - for
                                  JSON lines on stdin

      Options:
        --k <n>                   how many neighbors (default: 10)
        --set <name=value>        set an option of the search; repeatable
        -h, --help                show this help

      Reading data:
        --format <name>           format of the data, where ending and contents do not
                                  tell (choices: "hdf5", "parquet", "npy", "idx",
                                  "fvecs", "bvecs", "ivecs", "arff", "xmc", "jsonl",
                                  "svmlight", "tsv", "csv", "lines")
        --text-column <name>      column or field with the text; repeatable (default:
                                  text, title, …)
        --label-column <name>     column or field with the labels (default: labels,
                                  tags, …)
        --id-column <name>        column or field with the key of a row (default: id,
                                  …)
        --label-separator <text>  what separates the labels in a cell (default: white
                                  space, ; or |)
        --label-names <file>      file of label names: one a line, or lines of key,
                                  tab, name
        --index-base <n>          number of the first feature in svmlight files
                                  (default: 1) (choices: "0", "1")
        --part <name>             which part of a file with several: train, test, …
        --skip-bad-rows           leave out bad rows and count them, instead of
                                  stopping at the first
        --max-unpacked-bytes <n>  how large a compressed file may get (default: 256
                                  MiB, or 100 times its size)

      Global Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)

      Prints one JSON line per query, in the order of the file, with or without --json:
        {"id": 0, "neighbors": [{"id": "b7", "distance": 0.41}, …]}
      On stdin, each line is a JSON object with a vector and, if all have one, an id:
        {"vector": [0.5, 1, 2]}    or, sparse,    {"vector": {"indices": [3], "values": [1]}}

      Options for --set, by kind of index; the defaults are those of the index:
        forest: trees  threshold  probes  rerank
        inverted: algorithm
        sparse-forest: trees  probes  threshold  candidates
        net: tolerance (0.1: at most a tenth farther than the nearest)

      Examples:
        vicinal search images.index t10k-images-idx3-ubyte.gz --k 5
        vicinal search images.index t10k-images-idx3-ubyte.gz --set trees=20 --set rerank=200
        vicinal search vectors.index fashion.hdf5 --part test > neighbors.jsonl
        echo '{"vector": [0.1, 0.7]}' | vicinal search small.index -
        echo "Müller" | vicinal search names.index - --format lines
        vicinal search names.index new.lines --set tolerance=0.1
      "
    `)
  })

  it('explains curve', async () => {
    expect((await vicinal(['curve', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal curve [options] <index> <queries>

      Measure what an index finds of the true neighbors, against the time a query
      takes.

      Arguments:
        index                     index file that index has written
        queries                   data file with vectors that are not in the index

      Options:
        --k <n>                   how many neighbors (default: 10)
        --queries <n>             use only the first n queries
        --sample <n>              use only n queries, at random
        --svg <file>              also draw the curve into this file
        --force                   overwrite the drawing
        -h, --help                show this help

      Reading data:
        --format <name>           format of the data, where ending and contents do not
                                  tell (choices: "hdf5", "parquet", "npy", "idx",
                                  "fvecs", "bvecs", "ivecs", "arff", "xmc", "jsonl",
                                  "svmlight", "tsv", "csv", "lines")
        --text-column <name>      column or field with the text; repeatable (default:
                                  text, title, …)
        --label-column <name>     column or field with the labels (default: labels,
                                  tags, …)
        --id-column <name>        column or field with the key of a row (default: id,
                                  …)
        --label-separator <text>  what separates the labels in a cell (default: white
                                  space, ; or |)
        --label-names <file>      file of label names: one a line, or lines of key,
                                  tab, name
        --index-base <n>          number of the first feature in svmlight files
                                  (default: 1) (choices: "0", "1")
        --part <name>             which part of a file with several: train, test, …
        --skip-bad-rows           leave out bad rows and count them, instead of
                                  stopping at the first
        --max-unpacked-bytes <n>  how large a compressed file may get (default: 256
                                  MiB, or 100 times its size)

      Global Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)

      Queries run one by one on one thread; of three rounds the quickest counts. Recall
      is the share of the k true neighbors that were found, by distance. The true ones
      are computed once, with all threads, and kept in a file beside the index.

      Examples:
        vicinal curve images.index t10k-images-idx3-ubyte.gz --queries 1000
        vicinal curve vectors.index fashion.hdf5 --part test --sample 500 --seed 7
        vicinal curve vectors.index queries.fvecs --svg curve.svg
        vicinal curve vectors.index queries.fvecs --k 100 --json   # for a program
      "
    `)
  })

  it('explains inspect', async () => {
    expect((await vicinal(['inspect', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal inspect [options] <file>

      Show what is in a data file, a model, an index or a memory store: sizes,
      values, labels, texts.

      Arguments:
        file                      data file in any supported format, gzipped or not, a
                                  model or index file, or a memory store

      Options:
        --tree <n>                show this tree of a model that has trees; the first
                                  is 0
        --levels <n>              levels of the tree to show (default: 4)
        --svg <file>              also draw the tree into this file
        --force                   overwrite the drawing
        -h, --help                show this help

      Reading data:
        --format <name>           format of the data, where ending and contents do not
                                  tell (choices: "hdf5", "parquet", "npy", "idx",
                                  "fvecs", "bvecs", "ivecs", "arff", "xmc", "jsonl",
                                  "svmlight", "tsv", "csv", "lines")
        --text-column <name>      column or field with the text; repeatable (default:
                                  text, title, …)
        --label-column <name>     column or field with the labels (default: labels,
                                  tags, …)
        --id-column <name>        column or field with the key of a row (default: id,
                                  …)
        --label-separator <text>  what separates the labels in a cell (default: white
                                  space, ; or |)
        --label-names <file>      file of label names: one a line, or lines of key,
                                  tab, name
        --index-base <n>          number of the first feature in svmlight files
                                  (default: 1) (choices: "0", "1")
        --part <name>             which part of a file with several: train, test, …
        --skip-bad-rows           leave out bad rows and count them, instead of
                                  stopping at the first
        --max-unpacked-bytes <n>  how large a compressed file may get (default: 256
                                  MiB, or 100 times its size)

      Global Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)

      Examples:
        vicinal inspect train.txt.gz                         # rows, features, labels
        vicinal inspect books.csv --text-column title        # a table with text
        vicinal inspect train.txt.gz --label-names names.txt # the labels by name
        vicinal inspect songs.model --json                   # a model, for a program
        vicinal inspect vectors.index                        # an index
        vicinal inspect notes                                # a memory store
        vicinal inspect books.model --tree 0                 # a tree of a model
        vicinal inspect books.model --tree 0 --svg tree.svg  # the same, drawn
      "
    `)
  })

  it('explains convert', async () => {
    expect((await vicinal(['convert', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal convert [options] <input> <output>

      Write a data file in another format. What that format cannot hold is dropped
      only if you say so.

      Arguments:
        input                     data file in any supported format, gzipped or not
        output                    file to write; its ending tells the format, .gz
                                  compresses

      Options:
        --to <name>               format of the output, where its ending does not tell
                                  (choices: "npy", "fvecs", "xmc", "jsonl",
                                  "svmlight")
        --drop <part>             leave this part of the data out; repeatable
                                  (choices: "ids", "texts", "features",
                                  "feature-names", "labels", "label-names")
        --force                   overwrite the output file
        -h, --help                show this help

      Reading data:
        --format <name>           format of the data, where ending and contents do not
                                  tell (choices: "hdf5", "parquet", "npy", "idx",
                                  "fvecs", "bvecs", "ivecs", "arff", "xmc", "jsonl",
                                  "svmlight", "tsv", "csv", "lines")
        --text-column <name>      column or field with the text; repeatable (default:
                                  text, title, …)
        --label-column <name>     column or field with the labels (default: labels,
                                  tags, …)
        --id-column <name>        column or field with the key of a row (default: id,
                                  …)
        --label-separator <text>  what separates the labels in a cell (default: white
                                  space, ; or |)
        --label-names <file>      file of label names: one a line, or lines of key,
                                  tab, name
        --index-base <n>          number of the first feature in svmlight files
                                  (default: 1) (choices: "0", "1")
        --part <name>             which part of a file with several: train, test, …
        --skip-bad-rows           leave out bad rows and count them, instead of
                                  stopping at the first
        --max-unpacked-bytes <n>  how large a compressed file may get (default: 256
                                  MiB, or 100 times its size)

      Global Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)

      Examples:
        vicinal convert books.csv books.jsonl.gz          # table to JSON lines
        vicinal convert train.txt train.svm               # xmc to svmlight
        vicinal convert images-idx3-ubyte.gz images.npy --drop labels
        vicinal convert query.npy vectors --to fvecs --force
      "
    `)
  })

  it('explains completion', async () => {
    expect((await vicinal(['completion', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal completion [options] <shell>

      Print a script that completes vicinal commands and flags in your shell.

      Arguments:
        shell          the shell (choices: "bash", "zsh", "fish")

      Options:
        -h, --help     show this help

      Global Options:
        --version      print the version
        --json         print one machine-readable object instead of text
        --threads <n>  threads to work with (default: one per core)
        --seed <n>     seed of all that is random (default: 1)

      Examples:
        eval "$(vicinal completion bash)"                                     # in ~/.bashrc
        source <(vicinal completion zsh)                                      # in ~/.zshrc
        vicinal completion fish > ~/.config/fish/completions/vicinal.fish
      "
    `)
  })

  it('has examples at the end of the help of every command', async () => {
    const labeling = ['train', 'predict', 'evaluate', 'tune', 'explain', 'demo']
    for (const command of [...labeling, 'index', 'search', 'curve', 'inspect', 'convert', 'completion']) {
      const { stdout } = await vicinal([command, '--help'])
      expect(stdout).toMatch(new RegExp(`\\nExamples:\\n(  .*vicinal ${command}.*\\n)+$`))
    }
  })

  it('prints the version of its package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await vicinal(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each([
    [['inspet'], "unknown command 'inspet'", 'Did you mean inspect?'],
    [['inspect', '--jsn'], "unknown option '--jsn'", 'Did you mean --json?'],
    [['--wrong'], "unknown option '--wrong'", 'Run the command with --help to see its options.'],
    [['inspect'], "missing required argument 'file'", 'Run the command with --help to see its options.'],
    [
      ['inspect', 'a', 'b'],
      "too many arguments for 'inspect'. Expected 1 argument but got 2.",
      'Run the command with --help to see its options.',
    ],
    [
      ['inspect', 'a', '--index-base', '2'],
      "option '--index-base <n>' argument '2' is invalid. Allowed choices are 0, 1.",
      'Run the command with --help to see its options.',
    ],
    [
      ['inspect', 'a', '--threads', '0'],
      "option '--threads <n>' argument '0' is invalid. Expected a whole number from 1 to 1024.",
      'Run the command with --help to see its options.',
    ],
    [
      ['--seed', '1.5', 'inspect', 'a'],
      "option '--seed <n>' argument '1.5' is invalid. Expected a whole number from 0 to 4294967295.",
      'Run the command with --help to see its options.',
    ],
  ])('ends with 2 and says why after: vicinal %j', async (argv, message, hint) => {
    expect(await vicinal(argv)).toEqual({ code: 2, stdout: '', stderr: `vicinal: ${message}\n  hint: ${hint}\n` })
    const json = await vicinal([...argv, '--json'])
    const code = message.startsWith('unknown') ? 'UNKNOWN_NAME' : 'INVALID_OPTION'
    expect([json.code, json.stdout, JSON.parse(json.stderr)]).toEqual([2, '', { error: { code, message, hint } }])
  })

  it('tells a program too that no command was given', async () => {
    for (const argv of [['--json'], ['memory', '--json']]) {
      const { code, stdout, stderr } = await vicinal(argv)
      expect([code, stdout]).toEqual([2, ''])
      expect(JSON.parse(stderr)).toEqual({ error: { code: 'INVALID_OPTION', message: 'you gave no command' } })
    }
  })

  it.each([
    ...['train', 'predict', 'evaluate', 'tune', 'explain', 'index', 'search', 'curve', 'inspect', 'convert'],
    ...['create', 'insert', 'query', 'reward', 'remove', 'replay', 'check', 'export'].map(name => `memory ${name}`),
  ])('tells a program in JSON that a file of %s is missing or a word is wrong', async command => {
    const words = [...command.split(' '), folder.at('none.txt'), folder.at('neither.txt')]
    for (const argv of [words, [...words, '--out', folder.at('x.model')], [...words, '--text', 'x', '--value', '1']]) {
      const { code, stdout, stderr } = await vicinal([...argv, '--json'])
      expect([stdout, code > 1]).toEqual(['', true])
      expect(JSON.parse(stderr).error).toMatchObject({ code: expect.any(String), message: expect.any(String) })
    }
  })

  it('refuses an unknown format and lists the known ones', async () => {
    const { code, stderr } = await vicinal(['inspect', 'a', '--format', 'excel'])
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^vicinal: option '--format <name>' argument 'excel' is invalid\. Allowed choices are .*xmc.*\n/,
    )
  })

  it('ends with 130 where the work was stopped', async () => {
    const file = folder.file('small.txt', '1 1 1\n0 0:1\n')
    expect(await vicinal(['inspect', file], { signal: AbortSignal.abort() })).toEqual({
      code: 130,
      stdout: '',
      stderr: 'vicinal: stopped before the work was done\n',
    })
  })
})
