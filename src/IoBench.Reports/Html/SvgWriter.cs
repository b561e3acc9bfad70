using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Reports;

internal sealed class SvgWriter
{
    private readonly StringBuilder _svg = new();

    public static string FormatNumber(double value) => NumberFormat.Plain(value, 2);

    public void AddText(
        double x,
        double y,
        string text,
        string anchor = "start",
        double size = 9,
        bool bold = false,
        double turned = 0,
        string? color = null
    ) =>
        _svg.Append(
                CultureInfo.InvariantCulture,
                $"<text x=\"{FormatNumber(x)}\" y=\"{FormatNumber(y)}\" text-anchor=\"{anchor}\" font-size=\"{FormatNumber(size)}\""
            )
            .Append(bold ? " font-weight=\"bold\"" : "")
            .Append(color is null ? "" : $" fill=\"#{color}\"")
            .Append(turned == 0 ? "" : $" transform=\"rotate({FormatNumber(turned)} {FormatNumber(x)} {FormatNumber(y)})\"")
            .Append('>')
            .Append(HtmlReportWriter.EscapeHtml(text))
            .Append("</text>");

    public void AddLine(double x1, double y1, double x2, double y2, string color = Palette.LineColor, double width = 1) =>
        _svg.Append(
                CultureInfo.InvariantCulture,
                $"<line x1=\"{FormatNumber(x1)}\" y1=\"{FormatNumber(y1)}\" x2=\"{FormatNumber(x2)}\" y2=\"{FormatNumber(y2)}\""
            )
            .Append(CultureInfo.InvariantCulture, $" stroke=\"#{color}\" stroke-width=\"{FormatNumber(width)}\"/>");

    public void AddInterval(double x1, double y1, double x2, double y2)
    {
        const double cap = 3;
        var (across, along) = y1 == y2 ? (0.0, cap) : (cap, 0.0);
        AddLine(x1, y1, x2, y2, Palette.TextColor);
        AddLine(x1 - across, y1 - along, x1 + across, y1 + along, Palette.TextColor);
        AddLine(x2 - across, y2 - along, x2 + across, y2 + along, Palette.TextColor);
    }

    public void AddBox(double x, double y, double width, double height, string color, string? hint = null) =>
        _svg.Append(
                CultureInfo.InvariantCulture,
                $"<rect x=\"{FormatNumber(x)}\" y=\"{FormatNumber(y)}\" width=\"{FormatNumber(Math.Max(width, 0))}\""
            )
            .Append(CultureInfo.InvariantCulture, $" height=\"{FormatNumber(Math.Max(height, 0))}\" fill=\"#{color}\"")
            .Append(hint is null ? "/>" : $"><title>{HtmlReportWriter.EscapeHtml(hint)}</title></rect>");

    public void AddPolyline(IEnumerable<(double X, double Y)> points, string color, LineDash dash) =>
        _svg.Append(
                CultureInfo.InvariantCulture,
                $"<polyline fill=\"none\" stroke=\"#{color}\" stroke-width=\"2\" stroke-linejoin=\"round\""
            )
            .Append(GetDashAttribute(dash))
            .Append(" points=\"")
            .AppendJoin(' ', points.Select(point => $"{FormatNumber(point.X)},{FormatNumber(point.Y)}"))
            .Append("\"/>");

    private static string GetDashAttribute(LineDash dash) =>
        dash switch
        {
            LineDash.Dash => " stroke-dasharray=\"6 4\"",
            LineDash.Dot => " stroke-dasharray=\"2 3\"",
            LineDash.DashDot => " stroke-dasharray=\"10 3 2 3\"",
            _ => "",
        };

    public void AddMarker(double x, double y, MarkerShape shape, string color, bool isMark, string hint)
    {
        var r = isMark ? 7 : 3.5;
        var look = isMark ? $"fill=\"none\" stroke=\"#{color}\" stroke-width=\"2\"" : $"fill=\"#{color}\"";
        var end = $"><title>{HtmlReportWriter.EscapeHtml(hint)}</title></";
        switch (shape)
        {
            case MarkerShape.Circle:
                _svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<circle cx=\"{FormatNumber(x)}\" cy=\"{FormatNumber(y)}\" r=\"{FormatNumber(r)}\" {look}{end}circle>"
                );
                break;
            case MarkerShape.Square:
                var side = FormatNumber(2 * r);
                _svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<rect x=\"{FormatNumber(x - r)}\" y=\"{FormatNumber(y - r)}\" width=\"{side}\" height=\"{side}\" {look}{end}rect>"
                );
                break;
            case MarkerShape.Triangle:
                _svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<polygon points=\"{FormatNumber(x)},{FormatNumber(y - r * 1.2)} {FormatNumber(x + r * 1.1)},{FormatNumber(y + r)} {FormatNumber(x - r * 1.1)},{FormatNumber(y + r)}\" {look}{end}polygon>"
                );
                break;
            case MarkerShape.Dash:
                _svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<rect x=\"{FormatNumber(x - 9)}\" y=\"{FormatNumber(y - 1.5)}\" width=\"18\" height=\"3\" {look}{end}rect>"
                );
                break;
            case MarkerShape.Diamond:
                _svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<polygon points=\"{FormatNumber(x)},{FormatNumber(y - r * 1.3)} {FormatNumber(x + r * 1.3)},{FormatNumber(y)} {FormatNumber(x)},{FormatNumber(y + r * 1.3)} {FormatNumber(x - r * 1.3)},{FormatNumber(y)}\" {look}{end}polygon>"
                );
                break;
        }
    }

    public void InsertImage(string picture, double x, double y, double width, double height) =>
        _svg.Append(
                CultureInfo.InvariantCulture,
                $"<svg x=\"{FormatNumber(x)}\" y=\"{FormatNumber(y)}\" width=\"{FormatNumber(width)}\" height=\"{FormatNumber(height)}\">"
            )
            .Append(picture)
            .Append("</svg>");

    public static string CreateImageStart(double width, double height) =>
        $"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {FormatNumber(width)} {FormatNumber(height)}\"";

    /// <param name="description">Alternative text for screen readers.</param>
    /// <param name="isFile">A file has a fixed size. In an HTML report, the image is as wide as the space allows.</param>
    public string CreateImage(double width, double height, string description, bool isFile = false)
    {
        var (w, h) = (FormatNumber(width), FormatNumber(height));
        var size = isFile ? $"width=\"{w}\" height=\"{h}\"" : $"width=\"100%\" style=\"max-width:{w}px\"";
        return $"{CreateImageStart(width, height)} {size} role=\"img\" aria-label=\"{HtmlReportWriter.EscapeHtml(description)}\""
            + $" font-family=\"Arial, Helvetica, sans-serif\" fill=\"#{Palette.TextColor}\">"
            + $"<rect x=\"0.5\" y=\"0.5\" width=\"{FormatNumber(width - 1)}\" height=\"{FormatNumber(height - 1)}\""
            + $" fill=\"#FFFFFF\" stroke=\"#{Palette.LineColor}\"/>{_svg}</svg>";
    }
}
