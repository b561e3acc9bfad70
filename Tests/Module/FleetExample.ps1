# What the examples of the fleet require: hosts, an inventory, and output of members. Hosts are this computer: their ssh runs here what they would run.

function New-MemberLine {
    <# What a member prints; one that broke off greeted only. #>
    param([string] $Name, [double] $Iops, [switch] $IsCut)

    $say = { param($state, $more) '{{"state":"{0}","member":"{1}","group":"night"{2}}}' -f $state, $Name, $more }
    & $say Hello ',"count":1'
    if (-not $IsCut) {
        $result = New-TestResult -Iops $Iops
        $result.StartOffsetSeconds = 0.01
        & $say Done (',"test":1,"result":' + [IoBench.Formats.JsonResultSerializer]::SerializeToElement($result).GetRawText() -replace '\n\s*')
        & $say End
    }
}

function Enter-FleetExample {
    <# Makes it in the folder of an example, and gives what Exit-FleetExample takes back. #>
    param([string] $Folder, [string] $Title)

    $setting = @{ PATH = $env:PATH; XDG_CACHE_HOME = $env:XDG_CACHE_HOME; XDG_DATA_HOME = $env:XDG_DATA_HOME; IOBENCH_JOURNAL = $env:IOBENCH_JOURNAL }
    $bin = [System.IO.Directory]::CreateDirectory("$Folder/bin").FullName
    $program = [System.IO.Path]::Combine($env:IOBENCH_TEST_BIN, 'iobench')
    # The words of a command are behind the host; a session is a subsystem.
    $ssh = @'
#!/bin/sh
for word; do [ "$word" != -s ] || exec PWSH -sshs -NoLogo -NoProfile; done
while [ "$1" != -- ]; do shift; done
shift 2
exec sh -c "$*"
'@
    Set-Content "$bin/ssh" $ssh.Replace('PWSH', (Get-Process -Id $PID).Path)
    Set-Content "$bin/iobench" "#!/bin/sh`nexec '$program' `"`$@`""
    & chmod +x "$bin/ssh" "$bin/iobench"
    $env:PATH = "${bin}:$env:PATH"
    $env:XDG_CACHE_HOME = "$Folder/cache"
    # A session gets a copy of the module there.
    $env:XDG_DATA_HOME = "$Folder/data"
    $env:IOBENCH_JOURNAL = [System.IO.Directory]::CreateDirectory("$Folder/journal").FullName
    Set-Content estate.ini '[san1]', 'sql[1:3] array=SAN1'
    $null = [System.IO.Directory]::CreateDirectory("$Folder/iobench-night")
    foreach ($number in 1..3) {
        $lines = New-MemberLine "sql$number" (1000 * $number)
        foreach ($file in "iobench-night/sql$number", "sql$number") { Set-Content "$file.jsonl" $lines }
    }
    # The night's answer gets a name that nothing has.
    Remove-Item night.json
    if ($Title -match 'failed') { New-MemberLine sql4 -IsCut | Set-Content sql4.jsonl }
    $setting
}

function Exit-FleetExample {
    param([hashtable] $Setting)

    Get-PSSession | Remove-PSSession
    foreach ($name in $Setting.Keys) { Set-Item "env:$name" $Setting[$name] }
}

function ConvertTo-SmallFleet {
    <# The same lines on a device that does nothing, with a test instead of nine. #>
    param([string] $Code)

    $small = $Code -replace '-Workload sql-server', '-Workload page-read' -replace "'sum iops > 300000'", "'sum iops > 1'"
    $small = $small -replace 'Invoke-IoFleet ', 'Invoke-IoFleet -Backend Null -ThreadCount 1 -Duration 0.3 -WarmUp 0 -Confirm:$false -WarningAction SilentlyContinue '
    # A switch is given once.
    $small -replace '(-Confirm:\$false .*) -Confirm:\$false', '$1'
}
