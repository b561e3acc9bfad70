using System.Globalization;
using IoBench.Engine;

namespace IoBench.Reports.Model;

/// <summary>The title of a report that was given none.</summary>
internal static class ReportTitle
{
    /// <summary>SQLIO's results of one file keep the title of the classic workbook; others say their tool and what they tested.</summary>
    public static string Of(IReadOnlyList<IoTestResult> results)
    {
        var tools = results.Select(run => RunText.Tool(run.Source)).Distinct().ToList();
        if (tools.Count > 1)
            return $"I/O Test Results of {string.Join(", ", tools.Order(StringComparer.Ordinal))}";
        var tool = tools[0];
        if (tool == "IoBench")
            return $"IoBench Test Results{Of(results.Select(run => run.Path), "paths", " of ")}{Date(results)}";
        return $"{tool} Test Results{Of(results.Select(run => run.SourceFile is { } file ? RunText.FileName(file) : null), "files", " from ")}";
    }

    private static string Of(IEnumerable<string?> names, string several, string preposition)
    {
        var known = names.OfType<string>().Distinct().Take(10_001).ToList();
        return known.Count switch
        {
            0 => "",
            1 => preposition + known[0],
            _ => string.Create(CultureInfo.InvariantCulture, $"{preposition}{known.Count} {several}"),
        };
    }

    private static string Date(IReadOnlyList<IoTestResult> results)
        => results[0].StartTime is { } start ? start.ToString(", yyyy-MM-dd", CultureInfo.InvariantCulture) : "";
}
