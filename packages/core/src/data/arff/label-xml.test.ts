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
