using System.Buffers.Binary;
using System.Text;

namespace IoBench.Engine.Tests;

public class DriverFactsTests
{
    [Fact]
    public void Filters_of_file_systems_are_named_with_what_they_are_for()
    {
        (string, string?)[] drivers =
        [
            ("WdFilter", "FSFilter Anti-Virus"),
            ("Ntfs", "Boot File System"),
            ("FileCrypt", "FSFilter Encryption"),
            ("disk", null),
            ("mpio", "Filter"),
            ("MSDSM", null),
        ];
        Assert.Equal("FileCrypt (Encryption), WdFilter (Anti-Virus)", DriverFacts.Filters(drivers));
        Assert.Equal("mpio, MSDSM", DriverFacts.Multipath(drivers));
        Assert.Null(DriverFacts.Filters([("Ntfs", "Boot File System")]));
        Assert.Null(DriverFacts.Multipath([]));
    }

    [Fact]
    public void Kinds_of_cores_are_counted_the_fastest_first()
    {
        Assert.Equal("2 of class 1, 3 of class 0", DriverFacts.CoreClasses(Cores(1, 0, 0, 1, 0)));
        Assert.Null(DriverFacts.CoreClasses(Cores(0, 0)));
        Assert.Null(DriverFacts.CoreClasses([]));
        // A truncated buffer must not cause an endless loop.
        Assert.Null(DriverFacts.CoreClasses(new byte[48]));
    }

    [Theory]
    [InlineData("Microsoft Hv")]
    [InlineData("VMwareVMware")]
    [InlineData("KVMKVMKVM\0\0\0")]
    public void A_hypervisor_says_its_name(string name)
    {
        var bytes = Encoding.ASCII.GetBytes(name);
        int Part(int i) => BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(4 * i));
        Assert.Equal(name.TrimEnd('\0'), DriverFacts.Hypervisor(Part(0), Part(1), Part(2)));
        Assert.Null(DriverFacts.Hypervisor(0, 0, 0));
    }

    private static byte[] Cores(params byte[] classes)
    {
        const int size = 48;
        var buffer = new byte[size * classes.Length];
        for (var i = 0; i < classes.Length; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(buffer.AsSpan(i * size + 4), size);
            buffer[i * size + 9] = classes[i];
        }
        return buffer;
    }
}
