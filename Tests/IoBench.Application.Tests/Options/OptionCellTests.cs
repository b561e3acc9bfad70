using IoBench.Engine;

namespace IoBench.Application.Tests;

public class OptionCellTests
{
    [Fact]
    public void Label_text_keeps_its_comma_and_an_array_has_several_labels()
    {
        var values = new OptionValues(OptionTables.Run);
        values.Set("Label", "SAN, old");
        Assert.Equal(["SAN, old"], values.GetList<string>(OptionNames.Label));
        values.Set("Label", new[] { "SAN, old", "new" });
        Assert.Equal(["SAN, old", "new"], values.GetList<string>(OptionNames.Label));

        var columns = new OptionValues(OptionTables.Columns);
        columns.SetColumn("Label", "SAN, old");
        Assert.Equal(["SAN, old"], columns.GetList<string>(OptionNames.Label));
    }

    [Theory]
    [InlineData("threads", "ThreadCount")]
    [InlineData("Treads", "ThreadCount")]
    [InlineData("write", "WritePercent")]
    [InlineData("size", "FileSize")]
    [InlineData("outstanding", "OutstandingIO")]
    [InlineData("storage-cache", "StorageCacheSize")]
    [InlineData("BlokSize", "BlockSize")]
    public void Warning_for_a_CLI_name_suggests_the_setting(string name, string setting)
    {
        var values = new OptionValues(OptionTables.Columns);
        values.SetColumn(name, "8");
        Assert.Equal(
            $"IoBench ignores {name}, because a test has no setting with this name. Did you mean {setting}?",
            Assert.Single(values.Warnings).Text.ToString()
        );
    }

    [Theory]
    [InlineData("4.5")]
    [InlineData(4.5)]
    public void Fractional_bytes_throw(object size)
    {
        var error = Assert.Throws<IoBenchException>(() => new OptionValues(OptionTables.Columns).SetColumn("BlockSize", size));
        Assert.Contains("'4.5' is not a whole number of bytes", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("wit.log", "/here/wit.log")]
    [InlineData("folder/wit.log", "/here/folder/wit.log")]
    [InlineData("sql2:5020", "sql2:5020")]
    [InlineData("sql2:5020#ABC", "sql2:5020#ABC")]
    [InlineData("[::1]:5020", "[::1]:5020")]
    public void Relative_witness_path_is_resolved_unless_it_is_a_host(string given, string expected)
    {
        var values = new OptionValues(OptionTables.Run, path => "/here/" + path);
        values.Set("Witness", given);
        Assert.Equal([expected], values.GetList<string>(new OptionName("Witness")));
    }
}
