using IoBench.Engine;

namespace IoBench.Application.Tests;

public class SpellingTests
{
    [Fact]
    public void Message_uses_the_option_spelling_of_each_front_end()
    {
        IoMessage text =
            $"{OptionNames.OutstandingIO.WithValue(300)} is too much. Use {OptionNames.Buffering.WithValue(IoBuffering.Software)}, {OptionNames.IdleSeconds} or {IoCommand.Remove} {{x}}.";
        Assert.Equal(
            "--outstanding-io 300 is too much. Use --buffering software, --idle or iobench remove {x}.",
            text.Render(CliSpelling.Default)
        );
        Assert.Equal(
            "-OutstandingIO 300 is too much. Use -Buffering Software, -IdleSeconds or Remove-IoTestFile {x}.",
            text.Render(PowerShellSpelling.Default)
        );
        Assert.Equal("OutstandingIO 300 is too much. Use Buffering Software, IdleSeconds or IoBench Remove {x}.", text.ToString());
        Assert.Equal(["OutstandingIO", "Buffering", "IdleSeconds"], text.Options);
    }

    [Fact]
    public void CLI_message_names_the_option_as_typed()
    {
        IoMessage text = $"{OptionNames.OutstandingIO.WithValue(300)}: 1 to 256";
        Assert.Equal("--qd 300: 1 to 256", text.Render(new CliSpelling(new Dictionary<string, string> { ["OutstandingIO"] = "--qd" })));
    }

    [Theory]
    [InlineData("a {b} {{c}} }{ {", "\r\n\t")]
    [InlineData("{BlockSize}", "{!Run}")]
    public void Braces_in_values_are_not_options(string path, string other)
    {
        IoMessage text = $"{path} and {other} with {OptionNames.Force}";
        Assert.Equal($"{path} and {SafeText.Escape(other)} with --force", text.Render(CliSpelling.Default));
        Assert.Equal(["Force"], text.Options);
        Assert.Equal(text.ToString(), IoMessage.FromTemplate(text.Template).ToString());
        IoMessage outer = $"file: {text}";
        Assert.Equal(["Force"], outer.Options);
    }

    [Fact]
    public void Edited_template_is_shown_unchanged() =>
        Assert.Equal("a {no option} } {  {!Nothing} Force", IoMessage.FromTemplate("a {no option} } {  {!Nothing} {Force}").ToString());

    [Fact]
    public void Result_warning_keeps_its_code_and_each_front_end_spelling()
    {
        var result = new IoTestResult();
        result.AddWarning(new IoWarning(WarningCodes.StorageCache, $"the cache may answer; give {OptionNames.StorageCacheSize}."));
        result.Warnings.Add("a plain one");
        result.AddWarning(IoWarning.FromString("another {plain} one"));
        Assert.Equal(["the cache may answer; give StorageCacheSize.", "a plain one", "another {plain} one"], result.Warnings);
        Assert.Equal(
            ["the cache may answer; give --storage-cache-size.", "a plain one", "another {plain} one"],
            result.GetWarnings().Select(w => w.Text.Render(CliSpelling.Default))
        );
        Assert.True(result.HasWarning(WarningCodes.StorageCache));
        Assert.False(result.HasWarning(WarningCodes.QuickLook));
    }
}
