using IoBench.Engine;

namespace IoBench.Application.Tests;

public class OptionCellTests
{
    [Fact]
    public void A_label_keeps_its_comma_and_a_list_is_several()
    {
        var values = new OptionValues(OptionTables.Run);
        values.Set("Label", "SAN, old");
        Assert.Equal(["SAN, old"], values.List<string>(Opt.Label));
        values.Set("Label", new[] { "SAN, old", "new" });
        Assert.Equal(["SAN, old", "new"], values.List<string>(Opt.Label));

        var columns = new OptionValues(OptionTables.Columns);
        columns.SetColumn("Label", "SAN, old");
        Assert.Equal(["SAN, old"], columns.List<string>(Opt.Label));
    }

    [Theory]
    [InlineData("threads", "ThreadCount")]
    [InlineData("Treads", "ThreadCount")]
    [InlineData("write", "WritePercent")]
    [InlineData("size", "FileSize")]
    [InlineData("outstanding", "OutstandingIO")]
    [InlineData("storage-cache", "StorageCacheSize")]
    [InlineData("BlokSize", "BlockSize")]
    public void The_programs_names_lead_to_the_setting(string name, string setting)
    {
        var values = new OptionValues(OptionTables.Columns);
        values.SetColumn(name, "8");
        Assert.Equal(
            $"{name} is not a setting of a test and is left out: did you mean {setting}?",
            Assert.Single(values.Warnings).Text.ToString()
        );
    }

    [Theory]
    [InlineData("4.5")]
    [InlineData(4.5)]
    public void A_part_of_a_byte_is_no_size(object size)
    {
        var error = Assert.Throws<IoBenchException>(() => new OptionValues(OptionTables.Columns).SetColumn("BlockSize", size));
        Assert.Contains("'4.5' is not a whole number of bytes", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("wit.log", "/here/wit.log")]
    [InlineData("folder/wit.log", "/here/folder/wit.log")]
    [InlineData("sql2:5020", "sql2:5020")]
    [InlineData("[::1]:5020", "[::1]:5020")]
    public void A_witness_begins_where_its_user_is_unless_it_is_a_host(string given, string expected)
    {
        var values = new OptionValues(OptionTables.Run, new OptionContext { FullPath = path => "/here/" + path });
        values.Set("Witness", given);
        Assert.Equal([expected], values.List<string>(new OptionName("Witness")));
    }
}
