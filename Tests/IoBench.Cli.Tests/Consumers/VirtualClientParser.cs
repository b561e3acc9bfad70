using System.Globalization;
using System.Text.RegularExpressions;

namespace IoBench.Cli.Tests;

/// <summary>
/// Reads DiskSpd text as Microsoft's Virtual Client does. It removes lines of dashes, separates parts by empty lines, names each part by
/// its first line (each name once), and splits cells at |. It reads the CPU table from the heading CPU on, columns 1 to 5 of the I/O
/// tables, and all of "Total latency distribution". -w100 and -w0 in the command line select the tables that it expects.
/// </summary>
internal sealed class VirtualClientParser
{
    private readonly Dictionary<string, List<string[]>> _parts = [];

    public VirtualClientParser(string output, string commandLine)
    {
        // Virtual Client expects Windows line ends, because DiskSpd runs on Windows.
        Assert.Equal(output.Split('\n').Length - 1, output.Split("\r\n").Length - 1);
        var lines = output.Split("\r\n").Where(line => !Regex.IsMatch(line, "-{2,}")).ToList();
        var heading = lines.FindIndex(line => Regex.IsMatch(line, @"\bCPU\s*\|\s*Usage\s*\|\s*User\s*\|\s*Kernel\s*\|\s*Idle"));
        Assert.True(heading >= 0, "no table of processors");
        lines.Insert(heading, "CPU");
        foreach (var part in Regex.Split(string.Join('\n', lines), @"\n\s*\n").Select(p => p.Trim()).Where(p => p.Length > 0))
        {
            var rows = part.Split('\n');
            _parts.Add(
                rows[0].Trim(),
                [
                    .. rows.Skip(1)
                        .Select(row =>
                            row.Trim()
                                .Replace("total:", "total|", StringComparison.Ordinal)
                                .Replace("%", "", StringComparison.Ordinal)
                                .Split('|', StringSplitOptions.TrimEntries)
                        ),
                ]
            );
        }
        AddProcessors();
        AddTable("Total IO", "total");
        if (!commandLine.Contains("-w100", StringComparison.Ordinal))
            AddTable("Read IO", "read");
        if (!commandLine.Contains("-w0", StringComparison.Ordinal))
            AddTable("Write IO", "write");
        AddLatencies(commandLine);
    }

    /// <summary>Names and values in output order. A pool thread can have several values of one name.</summary>
    public List<(string Name, double Value)> Metrics { get; } = [];

    public List<double> GetValues(string name) => [.. Metrics.Where(m => m.Name == name).Select(m => m.Value)];

    private void AddProcessors()
    {
        var rows = _parts["CPU"];
        var first = Array.IndexOf(rows[0], "CPU");
        foreach (var row in rows.Skip(1))
        {
            // The row of the average has no columns before the CPU column.
            var cells = row[0] == "avg." ? row : row[first..];
            for (var i = 1; i <= 3; i++)
                AddMetric($"cpu {rows[0][first + i].ToLowerInvariant()} {(cells[0] == "avg." ? "average" : cells[0])}", cells[i]);
        }
    }

    private void AddTable(string part, string prefix)
    {
        var rows = _parts[part];
        foreach (var row in rows.Skip(1))
        {
            for (var i = 1; i <= 5; i++)
                AddMetric($"{prefix} {rows[0][i]} {row[0]}", row[i]);
        }
    }

    private void AddLatencies(string commandLine)
    {
        foreach (var row in _parts["Total latency distribution:"].Skip(1))
        {
            if (!commandLine.Contains("-w100", StringComparison.Ordinal))
                AddMetric("read latency " + row[0], row[1]);
            if (!commandLine.Contains("-w0", StringComparison.Ordinal))
                AddMetric("write latency " + row[0], row[2]);
            AddMetric("total latency " + row[0], row[3]);
        }
    }

    private void AddMetric(string name, string cell)
    {
        if (double.TryParse(cell, NumberStyles.Float, CultureInfo.InvariantCulture, out var value))
            Metrics.Add((name, value));
    }
}
