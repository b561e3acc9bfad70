using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Loader;

/// <summary>
/// Pieces of text for the views in IoBench.Format.ps1xml. They take a result as it is or what a job, CliXml or JSON left of it,
/// and write figures the same in every culture.
/// </summary>
public static class ResultView
{
    /// <summary>A number with separators; at least <paramref name="decimals"/> decimals, more where little would be left: <c>12,172</c>, <c>39.6</c>. Null gives nothing.</summary>
    public static string Number(object? value, int decimals)
    {
        if (ToDouble(value) is not { } number)
            return "";
        if (decimals == 0 && number is > 0 and < 100)
            decimals = 1;
        return number.ToString("N" + decimals.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
    }

    /// <summary>A number without decimals; null gives nothing.</summary>
    public static string Whole(object? value) => ToDouble(value)?.ToString("N0", CultureInfo.InvariantCulture) ?? "";

    /// <summary>A change in percent with its sign: <c>+12.3 %</c>; null gives nothing.</summary>
    public static string Percent(object? value) => ToDouble(value)?.ToString("+0.0 '%';-0.0 '%';0.0 '%'", CultureInfo.InvariantCulture) ?? "";

    /// <summary>What the rows of a table share: path, size, file system, device, buffering, backend; for old output its file.</summary>
    public static string Header(object? value)
    {
        var result = LooseObject.ToResult(value);
        var path = result.Path ?? "(no path)";
        // Where results of several computers are looked at, a path alone says little.
        var parts = new List<string> { result.ComputerName is { } computer && computer != Environment.MachineName ? $"{computer}: {path}" : path };
        if (result.FileSizeMB is { } size)
            parts.Add(new IoSize(size * 1048576).ToDisplayString());
        if ((result.FileSystem, result.Device) is not (null, null))
            parts.Add(string.Join(" on ", new[] { result.FileSystem, result.Device }.Where(p => p is not null)));
        if (result.Buffering is { } buffering)
            parts.Add(Words(buffering));
        if (result.Backend is { } backend)
            parts.Add(backend);
        if (result.SourceFile is { } file)
            parts.Add($"from {Path.GetFileName(file)}");
        return string.Join("  ", parts);
    }

    /// <summary>Buffering in words.</summary>
    public static string Words(IoBuffering buffering) => buffering switch
    {
        IoBuffering.None => "unbuffered, write-through",
        IoBuffering.Hardware => "unbuffered",
        IoBuffering.Software => "file cache, write-through",
        _ => "file cache",
    };

    /// <summary>The first column: workload, else label, else nothing.</summary>
    public static string Name(object? value)
    {
        var result = LooseObject.ToResult(value);
        var name = result.Workload ?? result.Label ?? "";
        return result.Repeat is { } repeat && name.Length > 0 ? $"{name} #{repeat}" : name;
    }

    /// <summary>A result in some lines of text: latency, histogram and the rate over time.</summary>
    public static string Text(object? value) => string.Concat(ResultText.Of(LooseObject.ToResult(value)).Select(line => line + "\n"));

    /// <summary>IOPS over the measured time; empty without a timeline.</summary>
    public static string Sparkline(object? value) => ResultText.Sparkline(LooseObject.ToResult(value)) ?? "";

    private static double? ToDouble(object? value)
        => Convert.ToString(value, CultureInfo.InvariantCulture) is { Length: > 0 } text
            && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number : null;
}
