// Words of six languages that say how a question is built and not what it is about. Left in, they find memories about anything. Words that can
// turn a statement around, such as "not", "off", "before" and "without", are no function words here.

const lists = {
  english:
    'a an the and or of to in on at by for from with as is are was were be been am do does did has have had ' +
    'i you we they he she it me my your our their his her its us them this that these those there s m re ve ll ' +
    'what which who whom whose when where why how can could should would will shall may might must please about',
  finnish:
    'ja tai vai sekä että on onko oli ovat olen olet olla ole se sen sitä siinä siitä ne niiden tämä tämän tätä ' +
    'minä minun minua sinä sinun hän hänen me meidän meille te teidän he heidän jos kun kuin niin joka jotka ' +
    'mikä mitä minkä mitkä mille millä miltä missä mistä mihin millainen kuka kenen kenelle kenellä ketkä ' +
    'miksi miten kuinka milloin koska voi voiko saako',
  german:
    'der die das den dem des ein eine einen einem einer eines und oder ist sind war waren bin bist wird werden wurde ' +
    'hat habe haben hatte ich du er sie es wir ihr uns mich mir dich dir sein seine ihre mein meine unser unsere ' +
    'in im am an auf bei mit von vom zu zum zur für über aus nach um dass man ' +
    'was wer wen wem wessen wie wo wann warum wieso weshalb welche welcher welches welchen welchem wofür womit ' +
    'wogegen worüber woher wohin kann können soll sollen muss müssen darf dürfen',
  french:
    'le la les l un une des du de d et ou à au aux en dans sur par pour avec est sont était être a ai as ont ' +
    'ce c cet cette ces se s sa son ses ma mon mes ta ton tes notre nos votre vos leur leurs ' +
    'je j tu il elle on nous vous ils elles me m te t y ne n que qu qui quoi quel quelle quels quelles dont ' +
    'où quand comment pourquoi combien lequel laquelle peut doit faut',
  spanish:
    'el la los las un una unos unas y o de del a al en con por para es son era fue está están ser estar ha han he hay ' +
    'se su sus mi mis tu tus nuestro nuestra nuestros nuestras yo él ella nosotros ellos ellas me te le les lo nos ' +
    'este esta estos estas esto ese esa eso que qué quién quiénes cuál cuáles cómo como cuándo cuando dónde donde ' +
    'cuánto cuánta cuántos cuántas puede debe',
  russian:
    'и или а в во на с со к ко у о об по из от для за это этот эта эти тот та те что чтобы кто кого кому кем чей чья ' +
    'где когда куда откуда как какой какая какое какие какую каком каким каких сколько почему зачем ' +
    'я ты он она оно мы вы они меня тебя его её ее их мне нам вам нас вас мой моя моё мои наш наша наше наши ' +
    'был была было были быть есть бы же ли',
}

const languages = Object.values(lists).map(list => new Set(list.split(' ')))

/** Those of the language that most of the words could be; English if several are as likely. */
export function functionWordsFor(words: readonly string[]): ReadonlySet<string> {
  const counts = languages.map(own => words.filter(word => own.has(word)).length)
  return languages[counts.indexOf(Math.max(...counts))] ?? new Set()
}
