namespace IoBench.Formats.Tests;

/// <summary>Outputs that were quoted in a reply have the values of the output itself.</summary>
public sealed class QuotedOutputTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    private string WriteJson(string text)
    {
        File.WriteAllText(_file, text);
        return JsonResultTests.WriteJson([.. ResultReader.ReadFile(_file)]);
    }

    public static TheoryData<string, string> Outputs()
    {
        var data = new TheoryData<string, string>();
        foreach (
            var path in (string[])
                [
                    "cases/diskspd-failed-disk-full.txt",
                    "cases/diskspd-failed-share.txt",
                    "cases/fio-write-then-verify.txt",
                    "cases/kdiskmark-3.1.txt",
                    "crystaldiskmark/v8.txt",
                    "diskspd-runs/v22-mix-r-L.out",
                    "fio/read-psync.json",
                    "fio/terse-many.txt",
                ]
        )
        foreach (var mark in (string[])["> ", ">> ", "> > ", "&gt; "])
            data.Add(path, mark);
        return data;
    }

    [Theory]
    [MemberData(nameof(Outputs))]
    public void Quoted_output_has_the_values_of_the_output(string path, string mark)
    {
        var text = File.ReadAllText(SampleFiles.GetPath(path.Split('/'))).ReplaceLineEndings("\n").TrimEnd();
        var expected = WriteJson(text);

        Assert.Equal(expected, WriteJson(string.Join("\n", text.Split('\n').Select(line => mark + line))));
    }

    [Fact]
    public void Few_lines_with_a_mark_are_not_a_quoted_text()
    {
        Assert.False(PastedText.TryUnquote("> a\nb\nc\n> d\n", out _));
        Assert.False(PastedText.TryUnquote("> a\n", out _));
        Assert.True(PastedText.TryUnquote("Joe wrote:\n> a\n> \tb\n>\n", out var plain));
        Assert.Equal("Joe wrote:\na\n\tb\n\n\n", plain);
    }
}
