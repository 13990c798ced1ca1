import { describe, expect, it } from 'vitest'
import { parseLabelXml } from './label-xml.ts'

const parse = (xml: string): string[] => parseLabelXml(xml, 'a.xml')

describe('parseLabelXml', () => {
  it('reads names in order, nested ones too', () => {
    expect(parse('<labels><label name="b"><label name=\'a\'/></label>\n<label  name = "c"></label></labels>')).toEqual([
      'b',
      'a',
      'c',
    ])
  })

  it('undoes entities', () => {
    expect(parse('<labels><label name="&lt;R&amp;B&gt; &#65;&#x42; &quot;&apos; &nbsp;"/></labels>')).toEqual([
      '<R&B> AB "\' &nbsp;',
    ])
  })

  it('leaves out comments', () => {
    expect(parse('<labels><!-- <label name="old"/> --><label name="new"/></labels>')).toEqual(['new'])
  })

  it.each([
    ['lists no labels', '<labels></labels>'],
    ['lists no labels', '<beans><label name="a"/></beans>'],
    ['lists label "a" twice', '<labels><label name="a"/><label name="a"/></labels>'],
  ])('refuses a file that %s', (words, xml) => {
    expect(() => parse(xml)).toThrow(`a.xml: the label file ${words}`)
  })
})

it.each(['&constructor;', '&__proto__;', '&toString;', '&#1114112;', '&#xffffffffff;'])(
  'leaves %s as it is',
  entity => {
    expect(parse(`<labels><label name="${entity}"/></labels>`)).toEqual([entity])
  },
)

it('takes a closing bracket in quotes for a part of the name', () => {
  expect(parse('<labels><label id="x>y" name="a>b"/></labels>')).toEqual(['a>b'])
})

it.each([
  ['opens a comment and never closes it', '<labels><label name="a"/><!-- </labels>'],
  ['opens a tag and never closes it', '<labels><label name="a</labels>'],
  ['has a label without a name', '<labels><label name="a"/><label id="b"/></labels>'],
])('refuses a file that %s', (words, xml) => {
  expect(() => parse(xml)).toThrow(`a.xml: the label file ${words}`)
})

it.each(['<!--', '<label ', '<label name=', '<label name="', '&#1', '<label a=b ', '<labels>', ' '])(
  'answers at once to a file of nothing but %j',
  worst => {
    expect(() => parse(worst.repeat(1e6 / worst.length))).toThrow('a.xml: the label file')
  },
)
