# Hosts for tests of PowerShell remoting: an SSH server each, in a network namespace with a name of its own where root may make one, else on ports of this computer.

function Get-SshHostReason {
    <# Why there can be no such hosts here; nothing when there can. #>
    if (-not $IsLinux) { return 'needs Linux' }
    foreach ($program in 'sshd', 'ssh', 'ssh-keygen') {
        if (-not (Find-SshProgram $program)) { return "needs $program (openssh-server), which is not there" }
    }
}

function Find-SshProgram {
    param([string] $Name)

    @($env:PATH -split ':') + '/usr/sbin', '/sbin' | ForEach-Object { [System.IO.Path]::Combine($_, $Name) } | Where-Object { [System.IO.File]::Exists($_) } | Select-Object -First 1
}

function Start-SshHost {
    <# Starts hosts and gives what New-SshHostSession needs of each. #>
    param([string] $Folder, [int] $Count = 2)

    $isRoot = (& id -u) -eq '0'
    & ssh-keygen -q -t ed25519 -N '' -f "$Folder/host_key"
    & ssh-keygen -q -t ed25519 -N '' -f "$Folder/user_key"
    # Its directory for separated privileges is made by the package's service, which does not run in a container.
    if ($isRoot) { $null = [System.IO.Directory]::CreateDirectory('/run/sshd') }
    # On every host a folder of its own under the same name.
    $disk = [System.IO.Directory]::CreateDirectory("$Folder/disk").FullName
    foreach ($number in 1..$Count) {
        $name = "iob$PID-$number"
        $address = '127.0.0.1'
        $port = 20000 + $PID % 20000 + $number
        $inNamespace = $false
        if ($isRoot -and (Find-SshProgram 'ip')) {
            & ip netns add $name 2>$null
            if ($LASTEXITCODE -eq 0) {
                $inNamespace = $true
                $net = "10.$(100 + $PID % 100).$number"
                $address = "$net.2"
                & ip link add "v$PID-$number" type veth peer name eth0 netns $name
                & ip address add "$net.1/24" dev "v$PID-$number"
                & ip link set "v$PID-$number" up
                & ip -n $name address add "$address/24" dev eth0
                & ip -n $name link set eth0 up
                & ip -n $name link set lo up
            }
        }
        $data = [System.IO.Directory]::CreateDirectory("$Folder/$name").FullName
        $null = [System.IO.Directory]::CreateDirectory("$data/disk")
        Set-Content -LiteralPath "$data/sshd_config" -Value @"
Port $port
ListenAddress $address
HostKey $Folder/host_key
PidFile none
AuthorizedKeysFile $Folder/user_key.pub
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PermitRootLogin prohibit-password
SetEnv XDG_DATA_HOME=$data XDG_CACHE_HOME=$data/cache TMPDIR=$data DOTNET_ROOT=$env:DOTNET_ROOT
Subsystem powershell $((Get-Process -Id $PID).Path) -sshs -NoLogo -NoProfile
"@
        $sshd = Find-SshProgram 'sshd'
        # A name of its own, so that results can be told apart.
        $command = $inNamespace ? "exec ip netns exec $name unshare --uts --mount sh -c 'hostname $name; mount --bind $data/disk $disk; exec $sshd -D -e -f $data/sshd_config'" : "exec $sshd -D -e -f $data/sshd_config"
        $process = Start-Process -FilePath sh -ArgumentList '-c', "`"$command`"" -RedirectStandardError "$data/sshd.log" -RedirectStandardOutput "$data/sshd.out" -PassThru
        [pscustomobject]@{ Name = $name; Address = $address; Port = $port; Key = "$Folder/user_key"; Data = $data; Process = $process; InNamespace = $inNamespace }
    }
}

function New-SshHostSession {
    <# A PSSession to a host, once its server answers. #>
    param([object] $SshHost)

    $deadline = [datetime]::UtcNow.AddSeconds(15)
    while ([datetime]::UtcNow -lt $deadline) {
        $client = [System.Net.Sockets.TcpClient]::new()
        try { $client.Connect($SshHost.Address, $SshHost.Port); break } catch [System.Net.Sockets.SocketException] { Start-Sleep -Milliseconds 50 } finally { $client.Dispose() }
    }
    $option = @{ StrictHostKeyChecking = 'no'; UserKnownHostsFile = '/dev/null'; LogLevel = 'ERROR'; IdentitiesOnly = 'yes' }
    New-PSSession -HostName $SshHost.Address -Port $SshHost.Port -UserName (& id -un) -KeyFilePath $SshHost.Key -Options $option -Name $SshHost.Name -ErrorAction Stop
}

function Get-SshHostProcess {
    <# Ids of all processes of a host: the server, its connections and what they started. #>
    param([object] $SshHost)

    if ($SshHost.InNamespace) {
        [int[]]@(& ip netns pids $SshHost.Name)
        return
    }
    $children = @{}
    foreach ($line in & ps -e -o pid= -o ppid=) {
        $id, $parent = -split $line
        $children[[int]$parent] += , [int]$id
    }
    $todo = [System.Collections.Generic.Queue[int]]::new()
    $todo.Enqueue($SshHost.Process.Id)
    while ($todo.Count -gt 0) {
        $id = $todo.Dequeue()
        $id
        foreach ($child in $children[$id]) { $todo.Enqueue($child) }
    }
}

function Stop-SshHost {
    <# Ends a host as a machine without power ends: all its processes at once. #>
    param([object] $SshHost)

    foreach ($id in Get-SshHostProcess $SshHost) { & kill -9 $id 2>$null }
}

function Remove-SshHost {
    param([object[]] $SshHost)

    foreach ($item in $SshHost) {
        Stop-SshHost $item
        if ($item.InNamespace) { & ip netns delete $item.Name }
    }
}
