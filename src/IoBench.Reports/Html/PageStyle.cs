using System.Globalization;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class HtmlWriter
{
    /// <summary>For mail programs, images have colors at their elements. CSS rules override those.</summary>
    public static readonly string Css = CssTemplate.Replace("%heat%", CreateDarkHeatMapRules(), StringComparison.Ordinal);

    private const string CssTemplate = """
        body{margin:0 auto;max-width:1080px;padding:16px;font:13px/1.45 Arial,Helvetica,sans-serif;color:#1F2933;background:#fff;overflow-wrap:break-word}
        h1{font-size:24px;margin:8px 0}h2{font-size:19px;margin:34px 0 8px;border-bottom:2px solid #1F4E79;padding-bottom:4px}h3{font-size:15px;color:#1F4E79;margin:18px 0 6px}
        p{margin:5px 0}p.lead{font-size:17px;font-weight:bold;color:#1F4E79;margin:10px 0}p.small{font-size:11px;color:#5F6B76}
        table{border-collapse:collapse;margin:8px 0 14px;font-size:12px}th{padding:4px 6px;text-align:left;vertical-align:bottom}td{padding:3px 6px;border-bottom:1px solid #D5DBE1}td:first-child{white-space:nowrap}
        .n{text-align:right}.c{text-align:center}td.n,td.c{white-space:nowrap}td.t{min-width:90px}table.many{font-size:11px}table.many th,table.many td{padding:3px 4px}table.many td.t{min-width:60px}nav a{margin-right:14px;color:#1F4E79}.wide{overflow-x:auto}svg{display:block;height:auto}.line{display:flex;flex-wrap:wrap;gap:12px;margin:6px 0}
        @media screen and (min-width:1320px){body{max-width:1280px}.line .chart,.map{flex:1 1 0}.map .chart{width:100%!important}.line svg{max-width:none!important}}
        @media screen and (max-width:640px){
        body{padding:10px;font-size:15px}h1{font-size:20px}.chart{display:none!important}.slim{display:block!important;margin:8px 0;width:100%}.slim svg{max-width:100%!important}
        table.stack thead{display:none}table.stack,table.stack tbody,table.stack tr{display:block}table.stack tr{border-bottom:2px solid #D5DBE1;padding:6px 0}
        table.stack td{display:flex;justify-content:space-between;gap:12px;text-align:right;white-space:normal;border:0;font-size:14px}table.stack td:first-child{font-size:15px;white-space:normal}
        table.stack td::before{color:#5F6B76;text-align:left;font-weight:normal}table.Findings td{display:block!important;text-align:left!important}table.Findings td::before{display:block}table.stack td:empty,table.stack td.none{display:none}
        nav a{display:inline-block;padding:4px 0}}
        @media screen and (prefers-color-scheme:dark){
        body{color:#E4E8EC;background:#15191D}h2{border-color:#7FB2E5}h3,p.lead,nav a,summary{color:#9CC7F0!important}p.small{color:#A3AEB8!important}td{border-color:#38414A}table.stack td::before{color:#A3AEB8}table.stack td[bgcolor]::before{color:#4A545E}
        svg{fill:#E4E8EC}svg [fill="#FFFFFF"]{fill:#1D2329}svg [fill="#1F2933"]{fill:#E4E8EC}svg [fill="#5F6B76"]{fill:#A3AEB8}svg [fill="#1F4E79"]{fill:#9CC7F0}svg [stroke="#D5DBE1"]{stroke:#38414A}svg [stroke="#1F2933"]{stroke:#E4E8EC}
        svg [fill="#332288"]{fill:#8F83E0}svg [stroke="#332288"]{stroke:#8F83E0}svg [fill="#000000"],svg [fill="#1A1A1A"]{fill:#E4E8EC}svg [stroke="#000000"]{stroke:#E4E8EC}svg [fill="#5A5A5A"]{fill:#9A9A9A}svg [stroke="#5A5A5A"]{stroke:#9A9A9A}
        svg [fill="#0B4F82"]{fill:#4B94CF}svg [stroke="#0B4F82"]{stroke:#4B94CF}svg [fill="#4A1500"],svg [fill="#8A2A00"]{fill:#F2A27C}svg [fill="#8A3300"]{fill:#DB7433}svg [fill="#622000"]{fill:#F2A27C}svg [fill="#3A1000"]{fill:#FCDCCB}svg [stroke="#8A2A00"]{stroke:#F2A27C}svg [stroke="#FFFFFF"]{stroke:#1D2329}
        %heat%}
        @media print{
        @page{size:A4 landscape;margin:8mm}body{max-width:none;padding:0;font-size:11px}nav,.screen,.slim{display:none!important}.wide{overflow:visible}h2,h3,h2+p,h3+p{break-after:avoid}tr,svg,.chart{break-inside:avoid}
        thead{display:table-header-group}body{line-height:1.3}table,table.many{font-size:8.5px;margin:4px 0 8px}th,td,table.many th,table.many td{padding:1px 4px}td.t{min-width:0}td,th{print-color-adjust:exact;-webkit-print-color-adjust:exact}.line{flex-wrap:nowrap;break-inside:avoid}svg{max-height:54mm;margin:0 auto}#Summary svg{max-height:50mm}#HeatMap svg{max-height:40mm}tbody tr:nth-child(-n+4){break-before:avoid}h1{font-size:19px;margin:0 0 4px}h2{font-size:15px;margin:10px 0 4px;padding-bottom:2px}h3{font-size:12px;margin:6px 0 2px}p{margin:3px 0}p.lead{font-size:14px!important;margin:5px 0}p.small{font-size:9px!important}.chart,.map{flex:1 1 0;width:auto!important}.map{break-inside:avoid}.wide:has(table.Host){columns:3}#Settings table.many{font-size:7.5px}}
        """;

    /// <summary>Empty cells are as dark as the page, and the ramp is reversed. The text of a cell follows its color.</summary>
    private static string CreateDarkHeatMapRules() =>
        $"svg [fill=\"#{Palette.HeatBackground}\"]{{fill:#{Palette.HeatBackgroundDark}}}"
        + string.Concat(
            Palette
                .HeatRamp.Zip(Palette.HeatRampDark, (light, dark) => (light, dark))
                .Select(
                    (pair, level) =>
                        $"svg [fill=\"#{pair.light}\"]{{fill:#{pair.dark}}}td[bgcolor=\"#{pair.light}\"]{{background:#{pair.dark}!important;color:#{Palette.GetHeatTextColor(Palette.HeatRamp.Count - 1 - level)}!important}}"
                )
        );

    /// <summary>On a phone, each cell of a stacked table shows its header. The rules apply to this table only.</summary>
    public static string CreateStackedTableRules(TableBlock table)
    {
        var rules = string.Concat(
            table
                .Columns.Skip(1)
                .Select(
                    (column, index) =>
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"table.{table.Name} td:nth-child({index + 2})::before{{content:\"{EscapeCssText(column.Header)}\"}}"
                        )
                )
        );
        return $"<style>@media screen and (max-width:640px){{{rules}}}</style>";
    }

    /// <summary>Escapes every character that could end a CSS string.</summary>
    private static string EscapeCssText(string text) =>
        string.Concat(
            SafeText
                .Escape(text)
                .Select(character =>
                    char.IsAsciiLetterOrDigit(character) || character is ' ' or '(' or ')' or '-' or '.'
                        ? character.ToString()
                        : string.Create(CultureInfo.InvariantCulture, $"\\{(int)character:X} ")
                )
        );
}
