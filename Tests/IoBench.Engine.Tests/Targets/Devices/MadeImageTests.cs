using System.Globalization;

namespace IoBench.Engine.Tests;

public class MadeImageTests : TargetFolder
{
    [Theory]
    [MadeImage("a Minix file system", "mkfs.minix -1 $i")]
    [MadeImage("a Minix file system", "mkfs.minix -2 $i")]
    [MadeImage("a Minix file system", "mkfs.minix -3 $i")]
    [MadeImage("an SCO BFS file system", "mkfs.bfs $i")]
    [MadeImage("a btrfs file system", "mkfs.btrfs $i")]
    [MadeImage("a cramfs file system", "mkfs.cramfs $d $i")]
    [MadeImage("an EROFS file system", "mkfs.erofs $i $d")]
    [MadeImage("an exFAT file system", "mkfs.exfat $i")]
    [MadeImage("an ext file system", "mkfs.ext2 -F $i")]
    [MadeImage("an ext file system", "mkfs.ext4 -F $i")]
    [MadeImage("an ext file system", "mkfs.ext4 -F -O journal_dev $i")]
    [MadeImage("an F2FS file system", "mkfs.f2fs $i")]
    [MadeImage("a FAT file system", "mkfs.fat -F 12 $i", megabytes: 2)]
    [MadeImage("a FAT file system", "mkfs.fat -F 16 $i")]
    [MadeImage("a FAT file system", "mkfs.fat -F 32 $i")]
    [MadeImage("a FAT file system", "mkfs.fat -F 16 $i && printf '\\0\\0\\0\\0\\0\\0\\0\\0' | dd of=$i bs=1 seek=54 conv=notrunc")]
    [MadeImage("a GFS file system", "mkfs.gfs2 -O -p lock_nolock $i")]
    [MadeImage("a JFS file system", "mkfs.jfs -q $i")]
    [MadeImage("a NILFS2 file system", "mkfs.nilfs2 $i")]
    [MadeImage("a NILFS2 file system", "mkfs.nilfs2 $i && dd if=/dev/zero of=$i bs=1M count=1 conv=notrunc")]
    [MadeImage("an NTFS file system", "mkntfs -F -Q $i")]
    [MadeImage("an OCFS2 file system", "mkfs.ocfs2 -F -M local $i")]
    [MadeImage("a Reiser4 file system", "mkfs.reiser4 -f -y $i")]
    [MadeImage("a ReiserFS file system", "mkfs.reiserfs -q -ff $i")]
    [MadeImage("a UDF file system", "mkudffs $i")]
    [MadeImage("a UDF file system", "mkudffs --media-type=hd -b 4096 $i")]
    [MadeImage("an XFS file system", "mkfs.xfs $i")]
    [MadeImage("an XFS log", "mkfs.xfs -l logdev=$i,size=100m -d file,name=$i.data,size=300m")]
    [MadeImage("a squashfs file system", "mksquashfs $d $i -noappend")]
    [MadeImage("an ISO 9660 file system", "genisoimage -o $i $d")]
    [MadeImage("a romfs file system", "genromfs -f $i -d $d", knownToLibBlkid: false)]
    [MadeImage("a UFS file system", "makefs -t ffs -s 16m $i $d")]
    [MadeImage("a UFS file system", "makefs -t ffs -B be -s 16m $i $d")]
    [MadeImage("a UFS file system", "makefs -t ffs -o version=2 -s 16m $i $d")]
    [MadeImage("an HFS file system", "hformat $i")]
    [MadeImage("an HFS+ file system", "mkfs.hfsplus $i")]
    [MadeImage("swap space", "mkswap $i")]
    [MadeImage("a LUKS encrypted volume", "cryptsetup luksFormat -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --type luks1 $i $d/key")]
    [MadeImage("a LUKS encrypted volume", "cryptsetup luksFormat -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --type luks2 $i $d/key")]
    [MadeImage("a dm-verity hash tree", "veritysetup format $d/file $i")]
    [MadeImage("a bcache or bcachefs device", "make-bcache -B $i")]
    [MadeImage("a DRBD volume", "drbdmeta --force 0 v08 $i internal create-md")]
    [MadeImage("a DRBD volume", "drbdmeta --force 0 v09 $i internal create-md 1")]
    [MadeImage("a boot sector or an empty partition table", "parted -s $i mklabel msdos")]
    [MadeImage("a partition table", "parted -s $i mklabel msdos mkpart primary 1MiB 100%")]
    [MadeImage("a GPT partition table", "parted -s $i mklabel gpt")]
    [MadeImage("a GPT partition table", "parted -s $i mklabel gpt && dd if=/dev/zero of=$i bs=1M count=1 conv=notrunc")]
    [MadeImage("a Sun disk label", "parted -s $i mklabel sun")]
    [MadeImage("a Mac partition map", "parted -s $i mklabel mac")]
    [MadeImage("an SGI disk label", "parted -s $i mklabel dvh")]
    [MadeImage("a BSD disk label", "parted -s $i mklabel bsd", knownToLibBlkid: false)]
    [MadeImage("an Amiga disk", "parted -s $i mklabel amiga", knownToLibBlkid: false)]
    public void What_a_program_made_is_named(string name, string command, bool knownToLibBlkid, int megabytes)
    {
        var image = At("image");
        using (var file = File.Create(image))
            file.SetLength(megabytes * MB);
        var folder = At("content");
        Directory.CreateDirectory(folder);
        File.WriteAllBytes(Path.Combine(folder, "file"), new byte[MB]);
        File.WriteAllText(Path.Combine(folder, "key"), "a key of many words");
        using (var empty = PlatformFiles.Current.OpenToRead(image))
            Assert.Null(LibBlkid.Find(empty, image));

        Shell(string.Create(CultureInfo.InvariantCulture, $"i='{image}' d='{folder}'; {command}"));

        using var handle = PlatformFiles.Current.OpenToRead(image);
        var size = RandomAccess.GetLength(handle);
        var content = new DeviceContent(size, (offset, buffer) => Assert.Equal(buffer.Length, RandomAccess.Read(handle, buffer, offset)));
        Assert.Equal(name, DeviceSignatures.Find(content));
        Assert.NotNull(content.FirstData());
        if (LibBlkid.IsAvailable && knownToLibBlkid)
            Assert.NotNull(LibBlkid.Find(handle, image));
    }

    [LibBlkidFact]
    public void LibBlkid_counts_a_superblock_with_a_wrong_checksum_too()
    {
        var image = At("image");
        using (var file = File.Create(image))
        {
            // The last sector of a VIA RAID member: its signature, its version, and an invalid checksum.
            file.SetLength(16 * MB);
            file.Position = 16 * MB - 512;
            file.Write([0x55, 0xAA, 0x01, .. new byte[47], 0x77]);
        }
        using var handle = PlatformFiles.Current.OpenToRead(image);
        Assert.Equal("a member of a volume or RAID (via_raid_member)", LibBlkid.Find(handle, image));
    }

    [LibBlkidFact]
    public void LibBlkid_that_cannot_look_is_not_the_same_as_nothing()
    {
        using var folder = LinuxFiles.TryOpen(Folder, LinuxCalls.O_RDONLY | LinuxCalls.O_DIRECTORY, out _);
        Refused("IoBench.FileFailed", () => LibBlkid.Find(folder!, Folder));
    }

    private sealed class LibBlkidFactAttribute : FactAttribute
    {
        public LibBlkidFactAttribute() => Skip = LibBlkid.IsAvailable ? null : "needs libblkid";
    }
}
