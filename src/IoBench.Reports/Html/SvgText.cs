using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Reports;

internal sealed class SvgText
{
    private readonly StringBuilder _svg = new();

    public static string Number(double value) => Figures.Plain(value, 2);

    public void Text(
        double x,
        double y,
        string text,
        string anchor = "start",
        double size = 9,
        bool bold = false,
        double turned = 0,
        string? colour = null
    ) =>
        _svg.Append(
                CultureInfo.InvariantCulture,
                $"<text x=\"{Number(x)}\" y=\"{Number(y)}\" text-anchor=\"{anchor}\" font-size=\"{Number(size)}\""
            )
            .Append(bold ? " font-weight=\"bold\"" : "")
            .Append(colour is null ? "" : $" fill=\"#{colour}\"")
            .Append(turned == 0 ? "" : $" transform=\"rotate({Number(turned)} {Number(x)} {Number(y)})\"")
            .Append('>')
            .Append(HtmlText.Escape(text))
            .Append("</text>");

    public void Line(double x1, double y1, double x2, double y2, string colour = Palette.Rule, double width = 1) =>
        _svg.Append(
            CultureInfo.InvariantCulture,
            $"<line x1=\"{Number(x1)}\" y1=\"{Number(y1)}\" x2=\"{Number(x2)}\" y2=\"{Number(y2)}\" stroke=\"#{colour}\" stroke-width=\"{Number(width)}\"/>"
        );

    public void Interval(double x1, double y1, double x2, double y2)
    {
        const double cap = 3;
        var (across, along) = y1 == y2 ? (0.0, cap) : (cap, 0.0);
        Line(x1, y1, x2, y2, Palette.Ink);
        Line(x1 - across, y1 - along, x1 + across, y1 + along, Palette.Ink);
        Line(x2 - across, y2 - along, x2 + across, y2 + along, Palette.Ink);
    }

    public void Box(double x, double y, double width, double height, string colour, string? hint = null) =>
        _svg.Append(
                CultureInfo.InvariantCulture,
                $"<rect x=\"{Number(x)}\" y=\"{Number(y)}\" width=\"{Number(Math.Max(width, 0))}\" height=\"{Number(Math.Max(height, 0))}\" fill=\"#{colour}\""
            )
            .Append(hint is null ? "/>" : $"><title>{HtmlText.Escape(hint)}</title></rect>");

    public void Path(IEnumerable<(double X, double Y)> points, string colour, LineDash dash) =>
        _svg.Append(
                CultureInfo.InvariantCulture,
                $"<polyline fill=\"none\" stroke=\"#{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\"{(dash switch { LineDash.Dash => " stroke-dasharray=\"6 4\"", LineDash.Dot => " stroke-dasharray=\"2 3\"", LineDash.DashDot => " stroke-dasharray=\"10 3 2 3\"", _ => "" })} points=\""
            )
            .AppendJoin(' ', points.Select(point => $"{Number(point.X)},{Number(point.Y)}"))
            .Append("\"/>");

    public void Marker(double x, double y, MarkerShape shape, string colour, bool isMark, string hint)
    {
        var r = isMark ? 7 : 3.5;
        var look = isMark ? $"fill=\"none\" stroke=\"#{colour}\" stroke-width=\"2\"" : $"fill=\"#{colour}\"";
        var end = $"><title>{HtmlText.Escape(hint)}</title></";
        switch (shape)
        {
            case MarkerShape.Circle:
                _svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<circle cx=\"{Number(x)}\" cy=\"{Number(y)}\" r=\"{Number(r)}\" {look}{end}circle>"
                );
                break;
            case MarkerShape.Square:
                _svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<rect x=\"{Number(x - r)}\" y=\"{Number(y - r)}\" width=\"{Number(2 * r)}\" height=\"{Number(2 * r)}\" {look}{end}rect>"
                );
                break;
            case MarkerShape.Triangle:
                _svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<polygon points=\"{Number(x)},{Number(y - r * 1.2)} {Number(x + r * 1.1)},{Number(y + r)} {Number(x - r * 1.1)},{Number(y + r)}\" {look}{end}polygon>"
                );
                break;
            case MarkerShape.Dash:
                _svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<rect x=\"{Number(x - 9)}\" y=\"{Number(y - 1.5)}\" width=\"18\" height=\"3\" {look}{end}rect>"
                );
                break;
            case MarkerShape.Diamond:
                _svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<polygon points=\"{Number(x)},{Number(y - r * 1.3)} {Number(x + r * 1.3)},{Number(y)} {Number(x)},{Number(y + r * 1.3)} {Number(x - r * 1.3)},{Number(y)}\" {look}{end}polygon>"
                );
                break;
        }
    }

    public void Insert(string picture, double x, double y, double width, double height) =>
        _svg.Append(
            CultureInfo.InvariantCulture,
            $"<svg x=\"{Number(x)}\" y=\"{Number(y)}\" width=\"{Number(width)}\" height=\"{Number(height)}\">{picture}</svg>"
        );

    /// <param name="width">In points.</param>
    /// <param name="height">In points.</param>
    /// <param name="description">Alternative text for screen readers.</param>
    /// <param name="isFile">A file has a fixed size. In an HTML report, the image is as wide as the space allows.</param>
    public string Picture(double width, double height, string description, bool isFile = false) =>
        $"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {Number(width)} {Number(height)}\" {(isFile ? $"width=\"{Number(width)}\" height=\"{Number(height)}\"" : $"width=\"100%\" style=\"max-width:{Number(width)}px\"")} role=\"img\" aria-label=\"{HtmlText.Escape(description)}\" font-family=\"Arial, Helvetica, sans-serif\" fill=\"#{Palette.Ink}\">"
        + $"<rect x=\"0.5\" y=\"0.5\" width=\"{Number(width - 1)}\" height=\"{Number(height - 1)}\" fill=\"#FFFFFF\" stroke=\"#{Palette.Rule}\"/>{_svg}</svg>";
}
