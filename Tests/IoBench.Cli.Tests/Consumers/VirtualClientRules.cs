using System.Globalization;
using System.Text.RegularExpressions;

namespace IoBench.Cli.Tests;

/// <summary>
/// What Microsoft's Virtual Client reads of DiskSpd's text: lines with rules of dashes fall away; parts are divided by empty lines and named by their first line,
/// each name once; cells are divided by |. Of the table of processors it takes what stands from the heading CPU on, of the tables of I/O the columns 1 to 5, of the chart
/// "Total latency distribution" all; -w100 and -w0 of the command line say which tables it looks for.
/// </summary>
internal sealed class VirtualClientRules
{
    private readonly Dictionary<string, List<string[]>> _parts = [];

    public VirtualClientRules(string output, string commandLine)
    {
        // It looks for line ends of Windows, which is where DiskSpd runs.
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
        TakeProcessors();
        TakeTable("Total IO", "total");
        if (!commandLine.Contains("-w100", StringComparison.Ordinal))
            TakeTable("Read IO", "read");
        if (!commandLine.Contains("-w0", StringComparison.Ordinal))
            TakeTable("Write IO", "write");
        TakeLatency(commandLine);
    }

    /// <summary>Names and values in the order they are found: a thread of a pool has several of a name.</summary>
    public List<(string Name, double Value)> Metrics { get; } = [];

    /// <summary>All values of a name.</summary>
    public List<double> Of(string name) => [.. Metrics.Where(m => m.Name == name).Select(m => m.Value)];

    private void TakeProcessors()
    {
        var rows = _parts["CPU"];
        var first = Array.IndexOf(rows[0], "CPU");
        foreach (var row in rows.Skip(1))
        {
            // The mean's row has no columns before the processor's.
            var cells = row[0] == "avg." ? row : row[first..];
            for (var i = 1; i <= 3; i++)
                Add($"cpu {rows[0][first + i].ToLowerInvariant()} {(cells[0] == "avg." ? "average" : cells[0])}", cells[i]);
        }
    }

    private void TakeTable(string part, string prefix)
    {
        var rows = _parts[part];
        foreach (var row in rows.Skip(1))
        {
            for (var i = 1; i <= 5; i++)
                Add($"{prefix} {rows[0][i]} {row[0]}", row[i]);
        }
    }

    private void TakeLatency(string commandLine)
    {
        foreach (var row in _parts["Total latency distribution:"].Skip(1))
        {
            if (!commandLine.Contains("-w100", StringComparison.Ordinal))
                Add("read latency " + row[0], row[1]);
            if (!commandLine.Contains("-w0", StringComparison.Ordinal))
                Add("write latency " + row[0], row[2]);
            Add("total latency " + row[0], row[3]);
        }
    }

    private void Add(string name, string cell)
    {
        if (double.TryParse(cell, NumberStyles.Float, CultureInfo.InvariantCulture, out var value))
            Metrics.Add((name, value));
    }
}
