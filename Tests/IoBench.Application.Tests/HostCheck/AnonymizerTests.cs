using IoBench.Analysis;

namespace IoBench.Application.Tests;

public class AnonymizerTests
{
    private static readonly Anonymizer s_anonymizer = new(Path.Combine(Path.GetTempPath(), "secret-project", "iobench-check.dat"));

    [Fact]
    public void Names_of_the_test_file_and_folder_are_replaced()
    {
        var folder = Path.Combine(Path.GetTempPath(), "secret-project");
        Assert.Equal(
            "the test file cannot be read.",
            s_anonymizer.Clean($"{folder}{Path.DirectorySeparatorChar}iobench-check.dat cannot be read.")
        );
        Assert.Equal("no room in the folder.", s_anonymizer.Clean($"no room in {folder}."));
    }

    [Theory]
    [InlineData("loop0 of /home/anna/disk.img", "loop0 of (a path)")]
    [InlineData(@"volume \\filer7\sql$ is full", "volume (a path) is full")]
    [InlineData(@"look at D:\Users\anna\x.dat now", "look at (a path) now")]
    [InlineData(@"look at D:\Users\Anna Smith\SQL Data\x.dat now", "look at (a path) now")]
    [InlineData(@"not D:\a\b and \\filer7\Anna Smith\x, nor \\filer7", "not (a path) and (a path), nor (a path)")]
    [InlineData("on /home/anna smith/disk.img now", "on (a path) now")]
    [InlineData(@"\\?\Volume{0e2c7d1a}\x", "(a path){0e2c7d1a}\\x")]
    public void Other_paths_are_replaced(string text, string expected) => Assert.Equal(expected, s_anonymizer.Clean(text));

    [Theory]
    [InlineData("a 4 KB write takes 0.399 ms with write-through and 0.019 ms without (median).")]
    [InlineData("the system does not allow it (kernel.io_uring_disabled, or the seccomp filter of a container).")]
    [InlineData("raise the limit (ulimit -l) in /etc/security/limits.conf")]
    [InlineData("ext4 on nvme0n1 and/or dm-0; 1/2, 10/12/2026")]
    public void Text_without_names_is_unchanged(string text) => Assert.Equal(text, s_anonymizer.Clean(text));

    [LongNameFact]
    public void Computer_name_is_replaced_only_as_a_whole_word()
    {
        Assert.Equal("made on this computer today", s_anonymizer.Clean($"made on {Environment.MachineName} today"));
        Assert.Equal($"x{Environment.MachineName}y", s_anonymizer.Clean($"x{Environment.MachineName}y"));
    }

    /// <summary>
    /// Every text of a report comes from a check or from a fact about the computer or the storage, and must not contain a name.
    /// </summary>
    [Fact]
    public void Report_with_names_in_every_text_contains_no_names()
    {
        var names = new Anonymizer(("sql7", "this computer"), ("anna.smith", "the user"), ("CONTOSO", "the domain"));
        const string poison =
            @"sql7 and SQL7.corp.contoso.com, contoso\anna.smith in /home/anna.smith/x of D:\Users\Anna Smith\y and \\filer7\share\z";
        var check = names.Clean(HostCheck.Fail(poison, poison, new FindingEvidence(poison, 1, "ms")));
        var facts = new Dictionary<string, string> { ["Model"] = names.Clean(poison) };
        using var json = new MemoryStream();
        HostCheckReport.Write(
            json,
            new HostCheckReport
            {
                Checks = [check with { Path = @"D:\Users\Anna Smith" }],
                Folders = [@"D:\Users\Anna Smith"],
                Seconds = 1,
                Host = facts,
                Storage = [facts],
            }
        );
        var text = System.Text.Encoding.UTF8.GetString(json.ToArray());
        foreach (var name in new[] { "sql7", "anna", "smith", "contoso", "corp", "filer7", "share", "Users", "home" })
            Assert.DoesNotContain(name, text, StringComparison.OrdinalIgnoreCase);
    }

    private sealed class LongNameFactAttribute : FactAttribute
    {
        public LongNameFactAttribute() =>
            Skip = Environment.MachineName.Length > 2 ? null : "needs a computer name of at least 3 characters";
    }
}
