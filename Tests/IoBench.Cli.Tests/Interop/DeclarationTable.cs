using System.Globalization;

namespace IoBench.Cli.Tests;

/// <summary>
/// Declarations of IoBench as the headers of the operating system define them. The C++ program in the same folder creates the tables.
/// </summary>
internal sealed class DeclarationTable
{
    private DeclarationTable(IEnumerable<string> lines)
    {
        foreach (var words in lines.Where(line => line.Length > 0 && line[0] != '#').Select(line => line.Split(' ')))
        {
            switch (words[0])
            {
                case "constant":
                    Constants.Add((words[1], words[2]), ulong.Parse(words[^1], CultureInfo.InvariantCulture));
                    break;
                case "struct":
                    Structs.Add(words[1], (ParseNumber(words[^2]), ParseNumber(words[^1])));
                    break;
                case "field":
                    Fields.Add((words[1], words[2]), (ParseNumber(words[^2]), ParseNumber(words[^1])));
                    break;
                case "function":
                    var sizes = words[(Array.IndexOf(words, ":") + 1)..];
                    Functions.Add(
                        words[2],
                        new NativeFunction(
                            words[1],
                            words[3] == "yes",
                            ParseNumber(words[4]),
                            [.. sizes.Where(size => size != "...").Select(ParseNumber)],
                            sizes.Contains("...")
                        )
                    );
                    break;
            }
        }
    }

    /// <summary>Values by type and name in IoBench.</summary>
    public Dictionary<(string Type, string Name), ulong> Constants { get; } = [];

    /// <summary>Size and alignment in bytes, by type in IoBench.</summary>
    public Dictionary<string, (int Size, int Alignment)> Structs { get; } = [];

    /// <summary>Offset and size in bytes, by type and name in IoBench.</summary>
    public Dictionary<(string Type, string Name), (int Offset, int Size)> Fields { get; } = [];

    /// <summary>Functions by entry point.</summary>
    public Dictionary<string, NativeFunction> Functions { get; } = [];

    /// <summary>The tables of Windows and Linux.</summary>
    public static DeclarationTable All { get; } =
        new(
            new[] { "win32.txt", "linux.txt" }.SelectMany(name =>
                File.ReadAllLines(Path.Combine(SampleFiles.RepositoryRoot, "Tests", "IoBench.Cli.Tests", "Interop", name))
            )
        );

    private static int ParseNumber(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}

/// <summary>A function of an operating system.</summary>
/// <param name="Library">The library that exports it.</param>
/// <param name="SetsLastError">True if the documentation says that it sets the last error, or errno.</param>
/// <param name="ReturnSize">Bytes of the return value; 0 = none.</param>
/// <param name="ParameterSizes">Bytes of each parameter.</param>
/// <param name="IsVariadic">True if more parameters can follow.</param>
internal sealed record NativeFunction(string Library, bool SetsLastError, int ReturnSize, int[] ParameterSizes, bool IsVariadic);
