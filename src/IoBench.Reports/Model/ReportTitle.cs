using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports;

internal static class ReportContext
{
    /// <summary>
    /// Results of other tools name the tool and the file, as in the classic workbook. Results of IoBench name the computer and the volume.
    /// </summary>
    public static string DescribeTitle(IReadOnlyList<IoTestResult> results)
    {
        var tools = results.Select(run => ResultFormats.GetToolName(run.Source)).Distinct().ToList();
        if (tools.Count > 1)
            return $"I/O Test Results of {string.Join(", ", tools.Order(StringComparer.Ordinal))}";
        var tool = tools[0];
        if (tool == "IoBench")
            return $"IoBench Test Results{DescribeTitle(results.Select(run => run.ComputerName), "computers", " of ")}{DescribeTitle(results.SelectMany(run => run.Path?.Split("; ") ?? []).Select(GetVolume), "volumes", results.Any(run => run.ComputerName is not null) ? ", " : " of ")}{FormatDates(results)}";
        return $"{tool} Test Results{DescribeTitle(results.Select(run => run.SourceFile is { } file ? RunDescription.GetFileName(file) : null), "files", " from ")}";
    }

    private static string DescribeTitle(IEnumerable<string?> names, string several, string preposition)
    {
        var known = names.OfType<string>().Distinct().Take(10_001).ToList();
        return known.Count switch
        {
            0 => "",
            1 => preposition + known[0],
            _ => string.Create(CultureInfo.InvariantCulture, $"{preposition}{known.Count} {several}"),
        };
    }

    /// <summary>The drive (<c>T:</c>), else the folder, because a mounted volume has no other name.</summary>
    private static string GetVolume(string path)
    {
        var cut = path.LastIndexOfAny(['/', '\\']);
        return cut switch
        {
            < 0 => path,
            0 => "/",
            2 when path[1] == ':' => path[..2],
            _ => path[..cut],
        };
    }

    private static string FormatDates(IReadOnlyList<IoTestResult> results)
    {
        var days = results.Select(run => run.StartTime?.Date).OfType<DateTime>().ToList();
        return days.Count == 0 ? ""
            : days.Min() == days.Max() ? days.Min().ToString(", yyyy-MM-dd", CultureInfo.InvariantCulture)
            : string.Create(CultureInfo.InvariantCulture, $", {days.Min():yyyy-MM-dd} to {days.Max():yyyy-MM-dd}");
    }
}
