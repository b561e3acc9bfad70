using System.Globalization;

namespace IoBench.Cli.Tests;

/// <summary>What an operating system's headers say of what IoBench declares; made by the C++ program beside it.</summary>
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
                    Structs.Add(words[1], (Number(words[^2]), Number(words[^1])));
                    break;
                case "field":
                    Fields.Add((words[1], words[2]), (Number(words[^2]), Number(words[^1])));
                    break;
                case "function":
                    var sizes = words[(Array.IndexOf(words, ":") + 1)..];
                    Functions.Add(
                        words[2],
                        new NativeFunction(
                            words[1],
                            words[3] == "yes",
                            Number(words[4]),
                            [.. sizes.Where(size => size != "...").Select(Number)],
                            sizes.Contains("...")
                        )
                    );
                    break;
            }
        }
    }

    /// <summary>Values by IoBench's type and name.</summary>
    public Dictionary<(string Type, string Name), ulong> Constants { get; } = [];

    /// <summary>Size and alignment by IoBench's type.</summary>
    public Dictionary<string, (int Size, int Alignment)> Structs { get; } = [];

    /// <summary>Offset and size by IoBench's type and name.</summary>
    public Dictionary<(string Type, string Name), (int Offset, int Size)> Fields { get; } = [];

    /// <summary>Functions by their entry points.</summary>
    public Dictionary<string, NativeFunction> Functions { get; } = [];

    /// <summary>The tables of both operating systems.</summary>
    public static DeclarationTable All { get; } =
        new(
            new[] { "win32.txt", "linux.txt" }.SelectMany(name =>
                File.ReadAllLines(Path.Combine(Samples.Root, "Tests", "IoBench.Cli.Tests", "Interop", name))
            )
        );

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}

/// <summary>A function of an operating system.</summary>
/// <param name="Library">Where it is.</param>
/// <param name="SetsLastError">The documentation says that it sets the last error, or errno.</param>
/// <param name="ReturnSize">Bytes of what it returns; 0 = nothing.</param>
/// <param name="ParameterSizes">Bytes of its parameters.</param>
/// <param name="IsVariadic">More parameters may follow.</param>
internal sealed record NativeFunction(string Library, bool SetsLastError, int ReturnSize, int[] ParameterSizes, bool IsVariadic);
